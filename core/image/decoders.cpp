// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/decoders.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "core/base/strings.h"

namespace equipatch {
namespace {

constexpr int kMaxval = 255;

/// Reads the numbers of a PNM header and skips the comments between them.
class PnmHeader {
 public:
  explicit PnmHeader(const PictureBytes& file) : m_file(file) {}

  std::int64_t number(const char* what) {
    skipSpace();
    std::int64_t value = 0;
    const std::size_t begin = m_at;
    for (; m_at < m_file.size() && std::isdigit(m_file.data()[m_at]); ++m_at)
      value = std::min<std::int64_t>(value * 10 + (m_file.data()[m_at] - '0'),
                                     std::int64_t{1} << 32);
    if (m_at == begin)
      throw damagedPicture(m_file, "PNM", std::string("its header has no ") + what);
    return value;
  }
  /// The pixels, after the single white space that ends the header.
  std::span<const std::byte> rest() const {
    return m_file.bytes.subspan(std::min(m_at + 1, m_file.size()));
  }

 private:
  void skipSpace() {
    for (; m_at < m_file.size(); ++m_at) {
      if (m_file.data()[m_at] == '#')
        while (m_at < m_file.size() && m_file.data()[m_at] != '\n') ++m_at;
      else if (!std::isspace(m_file.data()[m_at]))
        return;
    }
  }

  const PictureBytes& m_file;
  std::size_t m_at = 2;  // after "P5" or "P6"
};

}  // namespace

void requirePictureSize(std::int64_t width, std::int64_t height,
                        const std::string& source) {
  const std::string size = source + ": the image is " + std::to_string(width) + " × " +
                           std::to_string(height) + " pixels";
  if (width < 1 || height < 1)
    throw badInput(size + ", expected at least one; save or fetch it again");
  if (width > kMostPictureSide || height > kMostPictureSide ||
      width > kMostPicturePixels / height)
    throw badInput(size + ", expected at most " + std::to_string(kMostPictureSide) +
                   " on a side and " + std::to_string(kMostPicturePixels) +
                   " in all; make it smaller first");
}

Picture blankPicture(std::int64_t width, std::int64_t height, const std::string& source) {
  requirePictureSize(width, height, source);
  Picture picture{.width = width, .height = height, .rgb = {}};
  picture.rgb.resize(static_cast<std::size_t>(width * height * 3));
  return picture;
}

Error damagedPicture(const PictureBytes& file, const std::string& format,
                     const std::string& reason) {
  return badInput(file.source + ": the " + format + " image is damaged or cut off (" +
                  replaceInvalidUtf8(reason) + "); save or fetch it again");
}

Error animatedPicture(const PictureBytes& file, const std::string& format) {
  return unsupported(file.source + ": expected a single image, found an animated " +
                     format + "; save one of its frames as an image");
}

StoredPicture decodePnm(const PictureBytes& file) {
  PnmHeader header(file);
  const std::int64_t width = header.number("width");
  const std::int64_t height = header.number("height");
  if (header.number("largest value") != kMaxval)
    throw unsupported(file.source +
                      ": expected a PNM image with values up to 255, found another "
                      "range; save it as PNG");
  const std::int64_t channels = file.data()[1] == '6' ? 3 : 1;
  requirePictureSize(width, height, file.source);
  const auto pixels = header.rest();
  if (pixels.size() < static_cast<std::size_t>(width * height * channels))
    throw damagedPicture(file, "PNM", "some of its pixels are missing");
  StoredPicture stored{.picture = blankPicture(width, height, file.source)};
  std::vector<std::uint8_t>& rgb = stored.picture.rgb;
  for (std::size_t at = 0; at < rgb.size(); ++at)
    rgb[at] = static_cast<std::uint8_t>(pixels[channels == 3 ? at : at / 3]);
  return stored;
}

}  // namespace equipatch
