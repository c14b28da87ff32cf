// SPDX-License-Identifier: GPL-3.0-or-later
#include <webp/decode.h>

#include <algorithm>
#include <string_view>

#include "core/image/decoders.h"

namespace equipatch {
namespace {

std::size_t littleEndian(const unsigned char* at) {
  return std::size_t{at[0]} | std::size_t{at[1]} << 8 | std::size_t{at[2]} << 16 |
         std::size_t{at[3]} << 24;
}

/// The orientation in the RIFF file's EXIF chunk; 1 without such a chunk.
int webpOrientation(const PictureBytes& file) {
  constexpr std::size_t kFirstChunk = 12, kChunkHeader = 8;
  for (std::size_t at = kFirstChunk; at + kChunkHeader <= file.size();) {
    const std::string_view name(reinterpret_cast<const char*>(file.data() + at), 4);
    const std::size_t size = littleEndian(file.data() + at + 4);
    const std::size_t begin = at + kChunkHeader;
    if (name == "EXIF")
      return exifOrientation(
          file.bytes.subspan(begin, std::min(size, file.size() - begin)));
    at = begin + size + size % 2;
  }
  return 1;
}

}  // namespace

StoredPicture decodeWebp(const PictureBytes& file) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(file.data(), file.size(), &features) != VP8_STATUS_OK)
    throw damagedPicture(file, "WebP", "its header cannot be read");
  if (features.has_animation) throw animatedPicture(file, "WebP");
  StoredPicture stored{
      .picture = blankPicture(features.width, features.height, file.source),
      .orientation = webpOrientation(file)};
  std::vector<std::uint8_t>& rgb = stored.picture.rgb;
  if (!WebPDecodeRGBInto(file.data(), file.size(), rgb.data(), rgb.size(),
                         static_cast<int>(stored.picture.width * 3)))
    throw damagedPicture(file, "WebP", "its pixels cannot be read");
  return stored;
}

}  // namespace equipatch
