// SPDX-License-Identifier: GPL-3.0-or-later
#include <png.h>

#include <csetjmp>
#include <cstring>
#include <memory>
#include <string_view>

#include "core/image/decoders.h"

namespace equipatch {
namespace {

constexpr std::size_t kSignature = 8;
constexpr png_alloc_size_t kMostChunk = 8 << 20;
/// The chunk cache limit at which libpng skips all text chunks instead of decompressing
/// and keeping them.
constexpr png_uint_32 kKeepNone = 1;

/// An error in libpng ends in longjmp, which skips destructors. Therefore no object with
/// a destructor may be created after setjmp.
struct PngReading {
  const unsigned char* next = nullptr;
  std::size_t left = 0;
  png_structp png = nullptr;
  png_infop info = nullptr;
  char message[200] = {};

  PngReading() = default;
  ~PngReading() { png_destroy_read_struct(&png, &info, nullptr); }
  PngReading(const PngReading&) = delete;
  PngReading& operator=(const PngReading&) = delete;
};

void readPngBytes(png_structp png, png_bytep to, std::size_t count) {
  auto* reading = static_cast<PngReading*>(png_get_io_ptr(png));
  if (count > reading->left) png_error(png, "the file ends too early");
  std::memcpy(to, reading->next, count);
  reading->next += count;
  reading->left -= count;
}

[[noreturn]] void failPng(png_structp png, png_const_charp text) {
  auto* reading = static_cast<PngReading*>(png_get_error_ptr(png));
  std::strncpy(reading->message, text, sizeof(reading->message) - 1);
  png_longjmp(png, 1);
}

void ignorePngWarning(png_structp, png_const_charp) {}

/// @returns false, with `message` set, after an error
bool readPngHeader(PngReading& reading) {
  if (setjmp(png_jmpbuf(reading.png))) return false;  // NOLINT: libpng's errors
  png_set_read_fn(reading.png, &reading, readPngBytes);
  png_set_user_limits(reading.png, kMostPictureSide, kMostPictureSide);
  png_set_chunk_malloc_max(reading.png, kMostChunk);
  png_set_chunk_cache_max(reading.png, kKeepNone);
  png_read_info(reading.png, reading.info);
  png_set_expand(reading.png);  // to at least 8 bits, without palette
  png_set_strip_16(reading.png);
  png_set_gray_to_rgb(reading.png);
  png_set_strip_alpha(reading.png);
  png_set_interlace_handling(reading.png);
  png_read_update_info(reading.png, reading.info);
  return true;
}

bool readPngRows(PngReading& reading, std::vector<png_bytep>& rows) {
  if (setjmp(png_jmpbuf(reading.png))) return false;  // NOLINT: libpng's errors
  png_read_image(reading.png, rows.data());
  png_read_end(reading.png, reading.info);
  return true;
}

std::uint32_t bigEndian(const unsigned char* at) {
  return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 |
         std::uint32_t{at[2]} << 8 | std::uint32_t{at[3]};
}

/// Searches the chunks before the pixels only.
bool hasPngChunk(const PictureBytes& file, std::string_view type) {
  for (std::size_t at = kSignature; at + 8 <= file.size();) {
    const std::string_view name(reinterpret_cast<const char*>(file.data() + at + 4), 4);
    if (name == type) return true;
    if (name == "IDAT") return false;
    at += std::size_t{12} + bigEndian(file.data() + at);
  }
  return false;
}

/// Refuses a chunk, except IDAT, that is longer than the rest of the file: libpng may
/// allocate the stated length before it reads the chunk.
void requireChunksWithin(const PictureBytes& file) {
  for (std::size_t at = kSignature; at + 8 <= file.size();) {
    const std::size_t length = bigEndian(file.data() + at);
    const std::string_view name(reinterpret_cast<const char*>(file.data() + at + 4), 4);
    if (name != "IDAT" && length > file.size() - at - 8)
      throw damagedPicture(file, "PNG", "the file ends too early");
    if (name == "IEND") return;
    at += 12 + length;
  }
}

int pngOrientation(const PngReading& reading) {
  png_uint_32 size = 0;
  png_bytep exif = nullptr;
  if (png_get_eXIf_1(reading.png, reading.info, &size, &exif) == 0) return 1;
  return exifOrientation(std::as_bytes(std::span(exif, size)));
}

}  // namespace

StoredPicture decodePng(const PictureBytes& file) {
  if (hasPngChunk(file, "acTL")) throw animatedPicture(file, "PNG");
  requireChunksWithin(file);
  // This check precedes libpng's, so that the error names this program's limit.
  constexpr std::size_t kWidthPlace = 16;
  if (file.size() >= kWidthPlace + 8)
    requirePictureSize(bigEndian(file.data() + kWidthPlace),
                       bigEndian(file.data() + kWidthPlace + 4), file.source);
  PngReading reading;
  reading.next = file.data();
  reading.left = file.size();
  reading.png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, failPng, ignorePngWarning);
  if (reading.png) reading.info = png_create_info_struct(reading.png);
  if (!reading.info)
    throw Error(ErrorKind::Resource, file.source + ": no memory to read the image");
  if (!readPngHeader(reading)) throw damagedPicture(file, "PNG", reading.message);
  StoredPicture stored{.picture = blankPicture(
                           png_get_image_width(reading.png, reading.info),
                           png_get_image_height(reading.png, reading.info), file.source)};
  Picture& picture = stored.picture;
  const auto stride = static_cast<std::size_t>(picture.width * 3);
  if (png_get_rowbytes(reading.png, reading.info) != stride)
    throw damagedPicture(file, "PNG", "its pixels have an unknown form");
  std::vector<png_bytep> rows;
  for (std::int64_t row = 0; row < picture.height; ++row)
    rows.push_back(picture.rgb.data() + stride * static_cast<std::size_t>(row));
  if (!readPngRows(reading, rows)) throw damagedPicture(file, "PNG", reading.message);
  stored.orientation = pngOrientation(reading);
  return stored;
}

}  // namespace equipatch
