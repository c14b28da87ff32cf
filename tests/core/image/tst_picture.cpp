// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/picture.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/base/file_map.h"
#include "core/base/machine.h"
#include "core/image/decoders.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

Picture pictureIn(const std::filesystem::path& path) {
  return decodePicture(FileMap::open(path)->bytes(), path.filename().string());
}

Picture pictureOf(const std::string& bytes) {
  return decodePicture(std::as_bytes(std::span(bytes)), "it");
}

std::string bytesIn(const std::string& name) {
  return std::string(FileMap::open(test::data("pictures/" + name))->text());
}

std::string bigEndian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>(number >> shift & 0xFF);
  return bytes;
}

/// A chunk of a PNG, with its length and CRC-32.
std::string pngChunk(const std::string& type, const std::string& content) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char byte : type + content) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0U);
  }
  return bigEndian(static_cast<std::uint32_t>(content.size())) + type + content +
         bigEndian(~crc);
}

/// A PNG that ends after its IHDR chunk.
std::string pngHeader(std::uint32_t width, std::uint32_t height) {
  std::string bytes = bytesIn("rgb.png").substr(0, 33);
  return bytes.replace(16, 8, bigEndian(width) + bigEndian(height));
}

}  // namespace

class tst_picture : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void decodedPixelsEqualPillows_data();
  void decodedPixelsEqualPillows();
  void exifOrientationTurnsPicturesUpright_data();
  void exifOrientationTurnsPicturesUpright();
  void orientationIsReadFromExifOr1IfDamaged();
  void refusesOtherFormatsAndDamagedFiles();
  void refusesAnimations();
  void refusesHugePictures();
  void refusesTruncatedFiles_data();
  void refusesTruncatedFiles();
  void ignoresBytesAfterTheImage();
  void limitsTheScansOfAJpeg();
  void doesNotDecompressTextChunksOfAPng();
};

/// The .ppm file beside each image was made by Pillow 9.4 with exif_transpose and
/// convert("RGB"), except that of gray-16-bits: it holds the high byte of each value,
/// because Pillow would clip the values.
void tst_picture::decodedPixelsEqualPillows_data() {
  QTest::addColumn<QString>("name");
  for (const auto& entry : std::filesystem::directory_iterator(test::data("pictures")))
    if (entry.path().extension() == ".ppm")
      QTest::newRow(qPrintable(QString::fromStdString(entry.path().stem().string())))
          << QString::fromStdString(entry.path().stem().string());
}

void tst_picture::decodedPixelsEqualPillows() {
  QFETCH(QString, name);
  const auto path = test::data("pictures/" + name.toStdString());
  const Picture found = pictureIn(path), expected = pictureIn(path.string() + ".ppm");
  QCOMPARE(found.width, expected.width);
  QCOMPARE(found.height, expected.height);
  QCOMPARE(found.rgb.size(), expected.rgb.size());
  int largest = 0;
  for (std::size_t at = 0; at < found.rgb.size(); ++at)
    largest = std::max(largest, std::abs(int(found.rgb[at]) - int(expected.rgb[at])));
  // Versions of a decoder may round inverse cosine transforms differently.
  const bool lossy = name.startsWith("photo");
  QVERIFY2(largest <= (lossy ? 2 : 0), qPrintable(QString::number(largest)));
}

/// EXIF orientations of a 3 × 2 image whose pixels are numbered row by row.
void tst_picture::exifOrientationTurnsPicturesUpright_data() {
  QTest::addColumn<int>("orientation");
  QTest::addColumn<int>("width");
  QTest::addColumn<QString>("expected");
  QTest::newRow("as it is") << 1 << 3 << "123456";
  QTest::newRow("mirrored") << 2 << 3 << "321654";
  QTest::newRow("upside down") << 3 << 3 << "654321";
  QTest::newRow("flipped") << 4 << 3 << "456123";
  QTest::newRow("transposed") << 5 << 2 << "142536";
  QTest::newRow("to be rotated a quarter to the right") << 6 << 2 << "415263";
  QTest::newRow("transversed") << 7 << 2 << "635241";
  QTest::newRow("to be rotated a quarter to the left") << 8 << 2 << "362514";
}

void tst_picture::exifOrientationTurnsPicturesUpright() {
  QFETCH(int, orientation);
  QFETCH(int, width);
  QFETCH(QString, expected);
  Picture picture{.width = 3, .height = 2, .rgb = {}};
  for (int pixel = 1; pixel <= 6; ++pixel)
    picture.rgb.insert(picture.rgb.end(), 3, static_cast<std::uint8_t>(pixel));
  const Picture turned = upright(picture, orientation);
  QCOMPARE(turned.width, std::int64_t{width});
  QCOMPARE(turned.width * turned.height, std::int64_t{6});
  QString found;
  for (std::size_t at = 0; at < turned.rgb.size(); at += 3)
    found += QString::number(turned.rgb[at]);
  QCOMPARE(found, expected);
}

void tst_picture::orientationIsReadFromExifOr1IfDamaged() {
  const auto orientation = [](const std::string& bytes) {
    return exifOrientation(std::as_bytes(std::span(bytes)));
  };
  const std::string whole("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0",
                          24);
  QCOMPARE(orientation(whole), 6);
  QCOMPARE(orientation(std::string("Exif\0\0", 6) + whole), 6);
  const std::string little("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x08\0\0\0", 22);
  QCOMPARE(orientation(little), 8);
  QCOMPARE(orientation(whole.substr(0, 18)), 1);  // the value is cut off
  QCOMPARE(orientation(""), 1);
  QCOMPARE(orientation("MM"), 1);
  std::string other = whole;
  other[19] = 9;
  QCOMPARE(orientation(other), 1);
  other = whole;
  other.replace(4, 4, "\xff\xff\xff\xff");  // the directory is beyond the end
  QCOMPARE(orientation(other), 1);
}

void tst_picture::refusesOtherFormatsAndDamagedFiles() {
  QVERIFY_ERROR(pictureOf(""), "it", "an empty file", "PNG, JPEG, WebP or PNM");
  QVERIFY_ERROR(pictureOf("GIF89a"), "found a GIF image, which may be animated");
  QVERIFY_ERROR(pictureOf(std::string("BM1234\0\0\0\0..", 12)), "found a BMP image");
  QVERIFY_ERROR(pictureOf(std::string("II*\0", 4)), "found a TIFF image");
  QVERIFY_ERROR(pictureOf(std::string("MM\0*", 4)), "found a TIFF image");
  QVERIFY_ERROR(pictureOf("1234ftypavif1"), "found an AVIF image");
  QVERIFY_ERROR(pictureOf("1234ftypheic1"), "found a HEIF image or a film");
  QVERIFY_ERROR(pictureOf("%PDF-1.4"), "found a PDF document");
  QVERIFY_ERROR(pictureOf("P3 1 1 255\n1 2 3"), "PNM (P5 or P6)",
                "found a PNM image of type P3");
  QVERIFY_ERROR(pictureOf("hello"), "something else");
  QVERIFY_ERROR(pictureOf("\x89PNG\r\n\x1a\n"), "it: the PNG image is damaged");
  QVERIFY_ERROR(pictureOf("\xff\xd8\xff\xff"), "it: the JPEG image is damaged");
  QVERIFY_ERROR(pictureOf("RIFFxxxxWEBPVP8 "), "it: the WebP image is damaged");
  QVERIFY_ERROR(pictureOf("P6 1 1 65535\n123456"), "values up to 255");
  QVERIFY_ERROR(pictureOf("P6 2 1 255\n12345"), "pixels are missing");
  QVERIFY_ERROR(pictureOf("P6 2"), "no height");
  QVERIFY_ERROR(pictureOf("P5 0 1 255\n"), "0 × 1", "at least one");
}

void tst_picture::refusesAnimations() {
  QVERIFY_ERROR(pictureOf(bytesIn("animated.png")), "a single image", "animated PNG");
  QVERIFY_ERROR(pictureOf(bytesIn("animated.webp")), "a single image", "animated WebP");
}

/// The size in the header is checked before pixels are allocated.
void tst_picture::refusesHugePictures() {
  QVERIFY_ERROR(pictureOf(pngHeader(100'000, 100'000)), "100000 × 100000",
                "at most 65535 on a side and 67108864 in all");
  QVERIFY_ERROR(pictureOf(pngHeader(65'535, 65'535)), "65535 × 65535");
  QVERIFY_ERROR(pictureOf("P6 100000 100000 255\n"), "100000 × 100000");
  QVERIFY_ERROR(pictureOf("P6 99999999999999999999 1 255\n"), "at most 65535");
  std::string jpeg = bytesIn("photo.jpg");
  const std::size_t frame = jpeg.find("\xff\xc0");
  jpeg.replace(frame + 5, 4, "\xff\xd0\xff\xd0");
  QVERIFY_ERROR(pictureOf(jpeg), "65488 × 65488", "at most 65535 on a side");
  const std::string large(kMostPictureBytes + 1, ' ');
  QVERIFY_ERROR(pictureOf(large), "67108865 bytes", "make it smaller");
}

void tst_picture::refusesTruncatedFiles_data() {
  QTest::addColumn<QString>("name");
  for (const char* name :
       {"rgb.png", "interlaced.png", "palette.png", "photo.jpg", "photo-progressive.jpg",
        "photo-cmyk.jpg", "photo.webp", "lossless.webp", "gray.pgm"})
    QTest::newRow(name) << name;
}

/// Decoders may ignore the bytes after the pixels, at most 14 in these files.
void tst_picture::refusesTruncatedFiles() {
  QFETCH(QString, name);
  const std::string whole = bytesIn(name.toStdString());
  constexpr std::size_t kAfterPixels = 14;
  for (std::size_t size = 0; size + kAfterPixels < whole.size(); ++size) {
    const QString message = test::errorOf([&] { pictureOf(whole.substr(0, size)); });
    QVERIFY2(!message.isEmpty(), qPrintable(QString::number(size)));
    QVERIFY2(message.startsWith("it: "), qPrintable(message));
  }
}

/// Such bytes remain if a program overwrites a larger file without truncating it.
void tst_picture::ignoresBytesAfterTheImage() {
  for (const char* name : {"rgb.png", "photo.jpg", "photo.webp", "gray.pgm"}) {
    const std::string whole = bytesIn(name);
    QCOMPARE(pictureOf(whole + "the rest of a larger file"), pictureOf(whole));
  }
}

/// A small progressive JPEG can have any number of scans.
void tst_picture::limitsTheScansOfAJpeg() {
  const std::string whole = bytesIn("photo-progressive.jpg");
  const std::size_t first = whole.find("\xff\xda");
  const std::size_t end = whole.find("\xff\xc4", first);
  const std::string scan = whole.substr(first, end - first);
  std::string many = whole.substr(0, end);
  for (int copy = 0; copy < 1000; ++copy) many += scan;
  QVERIFY_ERROR(pictureOf(many + whole.substr(end)), "more than 1000 scans");
}

/// libpng would decompress text chunks to a thousand times their size.
void tst_picture::doesNotDecompressTextChunksOfAPng() {
  const QByteArray packed = qCompress(QByteArray(7 << 20, 'x'), 9).mid(4);
  const std::string text =
      pngChunk("zTXt", std::string("name\0\0", 6) + packed.toStdString());
  std::string bytes = bytesIn("rgb.png");
  const std::size_t afterHeader = 33;
  for (int copy = 0; copy < 40; ++copy) bytes.insert(afterHeader, text);
  const auto before = peakMemory();
  QCOMPARE(pictureOf(bytes), pictureIn(test::data("pictures/rgb.png")));
  if (!before) QSKIP("this system does not tell how much memory a process used");
  QVERIFY(peakMemory().value() - *before < (std::int64_t{64} << 20));
}

EQUIPATCH_TEST(tst_picture)
#include "tst_picture.moc"
