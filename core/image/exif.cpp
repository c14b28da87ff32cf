// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstring>
#include <string_view>

#include "core/image/decoders.h"

namespace equipatch {
namespace {

constexpr int kLargestOrientation = 8;

/// Reads numbers in the TIFF structure's byte order; 0 for numbers beyond its end.
class TiffNumbers {
 public:
  explicit TiffNumbers(std::span<const std::byte> bytes) : m_bytes(bytes) {
    const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                                 std::min<std::size_t>(bytes.size(), 4));
    m_little = start == std::string_view("II*\0", 4);
    m_valid = m_little || start == std::string_view("MM\0*", 4);
  }

  bool valid() const { return m_valid; }
  std::uint32_t read(std::uint64_t at, std::size_t size) const {
    if (at + size > m_bytes.size()) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t place = m_little ? size - 1 - i : i;
      value = value << 8 | static_cast<std::uint32_t>(m_bytes[at + place]);
    }
    return value;
  }

 private:
  std::span<const std::byte> m_bytes;
  bool m_little = false;
  bool m_valid = false;
};

}  // namespace

int exifOrientation(std::span<const std::byte> exif) {
  // JPEG requires this mark; some WebP and PNG files have it too.
  constexpr std::string_view kMark("Exif\0\0", 6);
  if (exif.size() >= kMark.size() &&
      std::memcmp(exif.data(), kMark.data(), kMark.size()) == 0)
    exif = exif.subspan(kMark.size());
  const TiffNumbers numbers(exif);
  if (!numbers.valid()) return 1;
  constexpr std::uint32_t kOrientation = 0x0112, kByte = 1, kShort = 3, kLong = 4;
  const std::uint64_t directory = numbers.read(4, 4);
  const std::uint32_t entries = numbers.read(directory, 2);
  for (std::uint32_t entry = 0; entry < entries; ++entry) {
    const std::uint64_t at = directory + 2 + std::uint64_t{12} * entry;
    if (numbers.read(at, 2) != kOrientation) continue;
    const std::uint32_t type = numbers.read(at + 2, 2);
    if (type != kByte && type != kShort && type != kLong) return 1;
    const std::uint32_t value = numbers.read(at + 8, type == kByte    ? 1
                                                     : type == kShort ? 2
                                                                      : 4);
    return value >= 1 && value <= kLargestOrientation ? static_cast<int>(value) : 1;
  }
  return 1;
}

Picture upright(Picture picture, int orientation) {
  if (orientation <= 1) return picture;
  constexpr int kTransposed = 5;  // from here on rows and columns are exchanged
  const bool transposed = orientation >= kTransposed;
  const bool fromRight =
      orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool fromBottom =
      orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  Picture turned{.width = transposed ? picture.height : picture.width,
                 .height = transposed ? picture.width : picture.height,
                 .rgb = {}};
  turned.rgb.resize(picture.rgb.size());
  std::uint8_t* to = turned.rgb.data();
  for (std::int64_t row = 0; row < turned.height; ++row)
    for (std::int64_t column = 0; column < turned.width; ++column, to += 3) {
      std::int64_t x = transposed ? row : column, y = transposed ? column : row;
      if (fromRight) x = picture.width - 1 - x;
      if (fromBottom) y = picture.height - 1 - y;
      std::memcpy(to, picture.rgb.data() + 3 * (y * picture.width + x), 3);
    }
  return turned;
}

}  // namespace equipatch
