// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/pixels.h"

#include <cmath>

#include "core/base/file_map.h"
#include "core/checkpoint/checkpoint.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

/// A gray image; `values` has its pixels row by row.
Picture grayPicture(std::int64_t width, const std::vector<int>& values) {
  Picture picture{.width = width,
                  .height = static_cast<std::int64_t>(values.size()) / width,
                  .rgb = {}};
  for (const int value : values)
    picture.rgb.insert(picture.rgb.end(), 3, static_cast<std::uint8_t>(value));
  return picture;
}

}  // namespace

class tst_pixels : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void resizesAsPillow();
  void resizesEachChannelByItself();
  void valuesEqualHuggingFaces_data();
  void valuesEqualHuggingFaces();
  void valuesAreRescaledAndNormalised();
};

/// The expected numbers are those of Pillow's resize.
void tst_pixels::resizesAsPillow() {
  const Picture row = grayPicture(7, {0, 255, 10, 200, 30, 90, 140});
  QVERIFY(resized(row, 3, 1) == grayPicture(3, {111, 112, 95}));
  QVERIFY(resized(row, 10, 1) ==
          grayPicture(10, {0, 140, 194, 22, 134, 141, 33, 75, 113, 140}));
  QVERIFY(resized(row, 7, 1) == row);
  // Pillow resizes and rounds rows before it resizes columns. With columns first, or
  // with rounding only at the end, some of these values would differ.
  const Picture table = grayPicture(
      6, {35,  49,  100, 207, 28,  169, 39,  224, 30,  248, 96,  208, 11,  219, 213,
          109, 154, 231, 150, 216, 26,  240, 195, 212, 32,  103, 134, 219, 12,  58});
  QVERIFY(resized(table, 4, 3) ==
          grayPicture(4, {69, 105, 151, 137, 112, 164, 159, 195, 109, 124, 167, 112}));
}

void tst_pixels::resizesEachChannelByItself() {
  Picture picture = grayPicture(7, {0, 255, 10, 200, 30, 90, 140});
  for (std::size_t at = 0; at < picture.rgb.size(); at += 3) {
    picture.rgb[at + 1] = 77;
    picture.rgb[at + 2] = static_cast<std::uint8_t>(255 - picture.rgb[at]);
  }
  const Picture small = resized(picture, 3, 1);
  const std::vector<std::uint8_t> expected{111, 77, 144, 112, 77, 143, 95, 77, 160};
  QCOMPARE(small.rgb, expected);
}

void tst_pixels::valuesEqualHuggingFaces_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<int>("image");
  QTest::newRow("PNG 0") << "image0.png" << 0;
  QTest::newRow("PNG 1") << "image1.png" << 1;
  QTest::newRow("PPM 0") << "image0.ppm" << 0;
  QTest::newRow("PPM 1") << "image1.ppm" << 1;
}

void tst_pixels::valuesEqualHuggingFaces() {
  QFETCH(QString, file);
  QFETCH(int, image);
  const auto folder = test::data("images/gemma3_mm");
  const VisionSpec vision = Checkpoint::open(folder).spec().vision.value();
  QCOMPARE(vision.problem, std::string());
  const auto bytes = FileMap::open(folder / file.toStdString());
  const std::vector<float> values =
      pixelValues(decodePicture(bytes->bytes(), "it"), vision.pixels, vision.imageSize);
  const SafetensorsFile golden = SafetensorsFile::open(folder / "golden.safetensors");
  const TensorView& view = golden.tensors().at("pixel_values");
  const auto* expected = reinterpret_cast<const float*>(view.bytes.data()) +
                         values.size() * std::size_t(image);
  QCOMPARE(view.bytes.size(), values.size() * 2 * sizeof(float));
  // QCOMPARE would accept a relative difference of 1e-5.
  for (std::size_t at = 0; at < values.size(); ++at) QVERIFY(values[at] == expected[at]);
}

void tst_pixels::valuesAreRescaledAndNormalised() {
  const Picture picture = grayPicture(1, {51});
  const PixelRule rule{.rescaleFactor = 1.0 / 51.0,
                       .mean = {0.0F, 0.5F, 1.0F},
                       .deviation = {1.0F, 0.25F, 2.0F}};
  const std::vector<float> values = pixelValues(picture, rule, 2);
  const std::vector<float> expected{1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0};
  QCOMPARE(values, expected);
}

EQUIPATCH_TEST(tst_pixels)
#include "tst_pixels.moc"
