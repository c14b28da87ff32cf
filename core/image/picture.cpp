// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/picture.h"

#include <string_view>

#include "core/image/decoders.h"

namespace equipatch {
namespace {

/// Describes a file that has none of the supported formats, from its first bytes.
std::string formatName(std::string_view text) {
  constexpr std::string_view kZeros("\0\0\0\0", 4);
  if (text.empty()) return "an empty file";
  if (text.starts_with("GIF8")) return "a GIF image, which may be animated";
  if (text.starts_with("BM") && text.size() > 10 && text.substr(6, 4) == kZeros)
    return "a BMP image";
  if (text.starts_with(std::string_view("II*\0", 4)) ||
      text.starts_with(std::string_view("MM\0*", 4)))
    return "a TIFF image";
  if (text.size() > 12 && text.substr(4, 4) == "ftyp")
    return text.substr(8, 3) == "avi" ? "an AVIF image" : "a HEIF image or a film";
  if (text.starts_with("%PDF")) return "a PDF document";
  // PNM as text or with one bit per pixel, which is not read.
  for (const char* type : {"P1", "P2", "P3", "P4"})
    if (text.starts_with(type)) return std::string("a PNM image of type ") + type;
  return "something else";
}

StoredPicture decodeStored(const PictureBytes& file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.starts_with("\x89PNG\r\n\x1a\n")) return decodePng(file);
  if (text.starts_with("\xff\xd8\xff")) return decodeJpeg(file);
  if (text.starts_with("RIFF") && text.size() > 12 && text.substr(8, 4) == "WEBP")
    return decodeWebp(file);
  if (text.starts_with("P5") || text.starts_with("P6")) return decodePnm(file);
  throw unsupported(file.source +
                    ": expected an image as PNG, JPEG, WebP or PNM (P5 or P6), found " +
                    formatName(text) + "; save it in one of these formats");
}

}  // namespace

Picture decodePicture(std::span<const std::byte> bytes, const std::string& source) {
  if (bytes.size() > kMostPictureBytes)
    throw badInput(source + ": the file has " + std::to_string(bytes.size()) +
                   " bytes, expected at most " + std::to_string(kMostPictureBytes) +
                   " for an image; make it smaller first");
  StoredPicture stored = decodeStored({bytes, source});
  return upright(std::move(stored.picture), stored.orientation);
}

}  // namespace equipatch
