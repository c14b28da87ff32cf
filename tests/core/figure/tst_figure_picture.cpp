// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_picture.h"

#include <algorithm>
#include <cmath>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

FigurePicture blank(std::int64_t width, std::int64_t height) {
  return {.name = "blank",
          .width = width,
          .height = height,
          .rgb = std::vector<std::uint8_t>(static_cast<std::size_t>(3 * width * height))};
}

}  // namespace

class tst_figure_picture : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void decodesAndShrinks() {
    const FigurePicture dot = decodedPicture("dot.ppm", "P6 1 1 255\nabc");
    QCOMPARE(dot.rgb, (std::vector<std::uint8_t>{'a', 'b', 'c'}));
    QVERIFY_ERROR(decodedPicture("cut.ppm", "P6 1 1 255\na"), "cut.ppm");
    const FigurePicture small = smallPicture(blank(300, 100), 30);
    QCOMPARE(small.width, 30);
    QCOMPARE(small.height, 10);
    QCOMPARE(small.heightOverWidth(), 1.0 / 3.0);
    QCOMPARE(smallPicture(blank(300, 1), 30).height, 1);
    QCOMPARE(smallPicture(blank(30, 20), 30).rgb.size(), std::size_t{1800});
  }

  /// Yellow beside a grey of the same brightness has an outline; noise has none.
  void shapesStayVisibleInGrey() {
    FigurePicture picture = blank(8, 8);
    for (std::size_t pixel = 0; pixel < 64; ++pixel) {
      const bool isShape = pixel % 8 >= 4;
      const std::vector<std::uint8_t> colour =
          isShape ? std::vector<std::uint8_t>{230, 200, 40}
                  : std::vector<std::uint8_t>{190, 191, 192};
      std::ranges::copy(colour, picture.rgb.begin() + static_cast<int>(3 * pixel));
    }
    const FigurePicture grey = inGrey(picture);
    const auto level = [&](std::size_t column) { return int(grey.rgb[3 * column]); };
    QCOMPARE(level(0), 191);
    QVERIFY(std::abs(level(7) - level(0)) < 5);
    QVERIFY(level(3) < level(0) - 30 && level(4) < level(7) - 30);
    QCOMPARE(grey.rgb[9], grey.rgb[11]);
    FigurePicture noise = blank(8, 8);
    for (std::size_t byte = 0; byte < noise.rgb.size(); ++byte)
      noise.rgb[byte] = static_cast<std::uint8_t>(100 + byte / 3 % 5 * 7);
    QCOMPARE(inGrey(noise).rgb, noise.rgb);
  }

  void picturesOfARowHaveEqualHeights() {
    const PictureRoom room{
        .width = 100.0, .rowHeight = 90.0, .leastWidth = 20.0, .gap = 10.0};
    const auto places = picturePlaces({blank(10, 10), blank(20, 10)}, room);
    QCOMPARE(places[0].height, 30.0);
    QCOMPARE(places[1].height, 30.0);
    QCOMPARE(places[1].left, 40.0);
    QCOMPARE(places[1].top, 0.0);
    QCOMPARE(extentOf(places).width, 100.0);
    QCOMPARE(extentOf(places).height, 30.0);
    QVERIFY(picturePlaces({}, room).empty());
    QCOMPARE(picturePlaces({blank(1, 10)}, room)[0].height, 90.0);
  }

  void picturesWithoutRoomBeginAnotherRow() {
    const PictureRoom room{
        .width = 70.0, .rowHeight = 90.0, .leastWidth = 30.0, .gap = 10.0};
    const std::vector<FigurePicture> pictures(3, blank(10, 10));
    const auto places = picturePlaces(pictures, room);
    QCOMPARE(places[1].top, 0.0);
    QCOMPARE(places[2].left, 0.0);
    QCOMPARE(places[2].top, 40.0);
    QCOMPARE(extentOf(places).height, 70.0);
  }
};

EQUIPATCH_TEST(tst_figure_picture)
#include "tst_figure_picture.moc"
