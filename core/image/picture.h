// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace equipatch {

/// Limits of a file and its picture, checked before memory is allocated for the pixels.
inline constexpr std::uintmax_t kMostPictureBytes = std::uintmax_t{64} << 20;
inline constexpr std::int64_t kMostPictureSide = 65535;
inline constexpr std::int64_t kMostPicturePixels = std::int64_t{1} << 26;

struct Picture {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::uint8_t> rgb;  ///< [height, width, 3]

  bool operator==(const Picture&) const = default;
};

/// Decodes a PNG, JPEG, WebP or binary PNM file and applies the EXIF orientation. Colours
/// are those of Pillow's convert("RGB"): transparency is dropped without compositing;
/// gamma and colour profiles are ignored. One difference: 16-bit gray is reduced to its
/// high byte, as are all 16-bit values, but Pillow clips 16-bit gray at 255.
/// @param source names the file in errors
/// @throws Error{BadInput} for damaged files and pictures beyond the limits;
///         Error{Unsupported} for other formats, animations and PNM files whose maxval
///         is not 255; Error{Resource} when libpng cannot allocate its structures.
Picture decodePicture(std::span<const std::byte> bytes, const std::string& source);

}  // namespace equipatch
