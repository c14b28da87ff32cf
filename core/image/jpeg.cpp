// SPDX-License-Identifier: GPL-3.0-or-later
// libjpeg's headers must come after <cstddef> and <cstdio>.
// clang-format off
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

#include <algorithm>
#include <csetjmp>

#include "core/image/decoders.h"

namespace equipatch {
namespace {

constexpr int kExifMarker = JPEG_APP0 + 1;
constexpr unsigned kMostMarkerBytes = 0xFFFF;
/// Limit of pixels × scans, which bounds the work on a progressive picture.
constexpr std::int64_t kMostScannedPixels = std::int64_t{1} << 30;
constexpr int kFewestScans = 16;  // allowed even for the largest picture
constexpr int kMostScans = 1000;  // of a picture of any size
constexpr int kInks = 4;          // of CMYK

/// An error in libjpeg ends in longjmp, which skips destructors. Therefore no object with
/// a destructor may be created after setjmp.
struct JpegReading {
  jpeg_decompress_struct jpeg = {};
  jpeg_error_mgr errors = {};
  jpeg_progress_mgr progress = {};
  std::jmp_buf end = {};
  char message[JMSG_LENGTH_MAX] = {};
  int mostScans = kFewestScans;

  JpegReading() = default;
  ~JpegReading() { jpeg_destroy_decompress(&jpeg); }
  JpegReading(const JpegReading&) = delete;
  JpegReading& operator=(const JpegReading&) = delete;
};

[[noreturn]] void failJpeg(j_common_ptr jpeg) {
  auto* reading = static_cast<JpegReading*>(jpeg->client_data);
  jpeg->err->format_message(jpeg, reading->message);
  std::longjmp(reading->end, 1);  // NOLINT: libjpeg's errors
}

/// Fails at missing or damaged pixels, for which libjpeg would invent values.
void handleJpegWarning(j_common_ptr jpeg, int level) {
  const int code = jpeg->err->msg_code;
  if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER ||
                    code == JWRN_HUFF_BAD_CODE || code == JWRN_ARITH_BAD_CODE))
    failJpeg(jpeg);
}

void countScans(j_common_ptr jpeg) {
  auto* reading = static_cast<JpegReading*>(jpeg->client_data);
  if (reading->jpeg.input_scan_number <= reading->mostScans) return;
  std::snprintf(reading->message, sizeof(reading->message),
                "more than %d scans of its pixels", reading->mostScans);
  std::longjmp(reading->end, 1);  // NOLINT: libjpeg's errors
}

bool readJpegHeader(JpegReading& reading, const PictureBytes& file) {
  if (setjmp(reading.end)) return false;  // NOLINT: libjpeg's errors
  jpeg_create_decompress(&reading.jpeg);
  reading.jpeg.client_data = &reading;
  reading.jpeg.progress = &reading.progress;
  reading.progress.progress_monitor = countScans;
  jpeg_save_markers(&reading.jpeg, kExifMarker, kMostMarkerBytes);
  jpeg_mem_src(&reading.jpeg, file.data(), file.size());
  jpeg_read_header(&reading.jpeg, TRUE);
  reading.jpeg.out_color_space =
      reading.jpeg.num_components == kInks ? JCS_CMYK : JCS_RGB;
  return true;
}

/// @param row buffer for a decoded row of RGB or CMYK
bool readJpegRows(JpegReading& reading, std::vector<std::uint8_t>& row, Picture& picture,
                  void (*store)(const std::vector<std::uint8_t>& row, std::uint8_t* to)) {
  if (setjmp(reading.end)) return false;  // NOLINT: libjpeg's errors
  jpeg_start_decompress(&reading.jpeg);
  JSAMPROW rows = row.data();
  while (reading.jpeg.output_scanline < reading.jpeg.output_height) {
    std::uint8_t* to = picture.rgb.data() + std::size_t{3} *
                                                reading.jpeg.output_scanline *
                                                reading.jpeg.output_width;
    jpeg_read_scanlines(&reading.jpeg, &rows, 1);
    store(row, to);
  }
  jpeg_finish_decompress(&reading.jpeg);
  return true;
}

void storeRgb(const std::vector<std::uint8_t>& row, std::uint8_t* to) {
  std::copy(row.begin(), row.end(), to);
}

/// The file holds inverted inks, 255 − C, as Adobe's programs write and Pillow assumes.
void storeCmykAsRgb(const std::vector<std::uint8_t>& row, std::uint8_t* to) {
  for (std::size_t at = 0; at < row.size(); at += kInks) {
    const int light = row[at + 3];  // 255 − K
    for (std::size_t ink = 0; ink < 3; ++ink) {
      const int product = (255 - row[at + ink]) * light + 128;
      *to++ = static_cast<std::uint8_t>(
          std::clamp(light - (((product >> 8) + product) >> 8), 0, 255));
    }
  }
}

int jpegOrientation(const JpegReading& reading) {
  for (const jpeg_marker_struct* marker = reading.jpeg.marker_list; marker;
       marker = marker->next)
    if (marker->marker == kExifMarker) {
      const int found =
          exifOrientation(std::as_bytes(std::span(marker->data, marker->data_length)));
      if (found != 1) return found;
    }
  return 1;
}

}  // namespace

StoredPicture decodeJpeg(const PictureBytes& file) {
  JpegReading reading;
  reading.jpeg.err = jpeg_std_error(&reading.errors);
  reading.errors.error_exit = failJpeg;
  reading.errors.emit_message = handleJpegWarning;
  reading.jpeg.client_data = &reading;
  if (!readJpegHeader(reading, file)) throw damagedPicture(file, "JPEG", reading.message);
  StoredPicture stored{.picture = blankPicture(reading.jpeg.image_width,
                                               reading.jpeg.image_height, file.source),
                       .orientation = jpegOrientation(reading)};
  Picture& picture = stored.picture;
  reading.mostScans = static_cast<int>(std::clamp<std::int64_t>(
      kMostScannedPixels / (picture.width * picture.height), kFewestScans, kMostScans));
  const bool inks = reading.jpeg.out_color_space == JCS_CMYK;
  std::vector<std::uint8_t> row(
      static_cast<std::size_t>(picture.width * (inks ? kInks : 3)));
  if (!readJpegRows(reading, row, picture, inks ? storeCmykAsRgb : storeRgb))
    throw damagedPicture(file, "JPEG", reading.message);
  return stored;
}

}  // namespace equipatch
