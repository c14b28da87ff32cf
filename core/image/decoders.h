// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/image/picture.h"

namespace equipatch {

/// A file in memory, and its name for messages; both must outlive this.
struct PictureBytes {
  std::span<const std::byte> bytes;
  const std::string& source;

  const unsigned char* data() const {
    return reinterpret_cast<const unsigned char*>(bytes.data());
  }
  std::size_t size() const { return bytes.size(); }
};

/// A picture before its EXIF orientation is applied.
struct StoredPicture {
  Picture picture;
  int orientation = 1;  ///< 1 to 8
};

// The decoders need a file that begins with their format's signature. They throw the
// errors of decodePicture.

StoredPicture decodePng(const PictureBytes& file);
StoredPicture decodeJpeg(const PictureBytes& file);
StoredPicture decodeWebp(const PictureBytes& file);
/// Binary PGM or PPM.
StoredPicture decodePnm(const PictureBytes& file);

/// @throws Error{BadInput} naming the limit that the size exceeds, or for a side below 1.
void requirePictureSize(std::int64_t width, std::int64_t height,
                        const std::string& source);
/// A black picture. @throws the errors of requirePictureSize.
Picture blankPicture(std::int64_t width, std::int64_t height, const std::string& source);

/// @param reason may contain invalid UTF-8
Error damagedPicture(const PictureBytes& file, const std::string& format,
                     const std::string& reason);
Error animatedPicture(const PictureBytes& file, const std::string& format);

/// The orientation in an EXIF block: a TIFF structure, with or without "Exif\0\0" before
/// it. 1 if the block has no valid orientation.
int exifOrientation(std::span<const std::byte> exif);

/// Applies the EXIF orientation.
Picture upright(Picture picture, int orientation);

}  // namespace equipatch
