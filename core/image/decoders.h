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

/// A picture as its file stores it, before EXIF's orientation is applied.
struct StoredPicture {
  Picture picture;
  int orientation = 1;  ///< EXIF's, 1 to 8
};

// The decoders take a file that begins with their format's signature. They throw as
// decodePicture does.

StoredPicture decodePng(const PictureBytes& file);
StoredPicture decodeJpeg(const PictureBytes& file);
StoredPicture decodeWebp(const PictureBytes& file);
/// Binary PGM or PPM.
StoredPicture decodePnm(const PictureBytes& file);

/// @throws Error{BadInput} naming the limit that a picture of that size would exceed, or
/// for a side below 1.
void requirePictureSize(std::int64_t width, std::int64_t height,
                        const std::string& source);
/// A black picture of that size. @throws as requirePictureSize.
Picture blankPicture(std::int64_t width, std::int64_t height, const std::string& source);

/// @param reason the decoder's reason or its library's message; may be invalid UTF-8
Error damagedPicture(const PictureBytes& file, const std::string& format,
                     const std::string& reason);
Error animatedPicture(const PictureBytes& file, const std::string& format);

/// The orientation in an EXIF block (a TIFF header and its directory); 1 where the block
/// is damaged or has none.
int exifOrientation(std::span<const std::byte> exif);

/// The picture rotated or mirrored so that EXIF's orientation becomes 1.
Picture upright(Picture picture, int orientation);

}  // namespace equipatch
