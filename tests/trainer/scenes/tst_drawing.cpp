// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/scenes/drawing.h"

#include <cmath>
#include <span>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// The number of pixels that differ clearly between two pictures, in a place, which is a
/// third of the picture wide and high.
int differences(const Picture& a, const Picture& b, int row, int column) {
  constexpr int kCell = kPictureSide / kPlacesPerRow, kFar = 90;
  int count = 0;
  for (int y = row * kCell; y < (row + 1) * kCell; ++y)
    for (int x = column * kCell; x < (column + 1) * kCell; ++x) {
      const auto at =
          (static_cast<std::size_t>(y) * kPictureSide + static_cast<std::size_t>(x)) * 3;
      int difference = 0;
      for (std::size_t channel = 0; channel < 3; ++channel)
        difference += std::abs(int{a.rgb[at + channel]} - int{b.rgb[at + channel]});
      count += difference > kFar ? 1 : 0;
    }
  return count;
}

}  // namespace

class tst_drawing : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aDrawingIsReproducible() {
    const Scene scene = SceneGenerator(Split::Training, 1).scene(1);
    const Picture picture = drawScene(scene);
    QCOMPARE(picture.width, kPictureSide);
    QCOMPARE(picture.height, kPictureSide);
    QVERIFY(picture == drawScene(scene));
    Scene other = scene;
    ++other.seed;
    QVERIFY(picture != drawScene(other));
  }

  /// Every property that a question can ask about changes the picture at the thing's
  /// place.
  void everyPropertyOfAThingChangesItsDrawing() {
    const Thing start{.shape = Shape::Circle, .colour = Colour::Red, .place = 5};
    const auto seen = [](const Thing& a, const Thing& b) {
      return differences(drawScene({.things = {a}, .seed = 9}),
                         drawScene({.things = {b}, .seed = 9}), a.row(), a.column());
    };
    QCOMPARE(seen(start, start), 0);
    for (int i = 1; i <= kShapes; ++i) {
      Thing other = start;
      other.shape = static_cast<Shape>(i);
      QVERIFY2(seen(start, other) > 20, shapeName(other.shape).data());
    }
    for (int i = 1; i < kColours; ++i) {
      Thing other = start;
      other.colour = static_cast<Colour>(i);
      QVERIFY2(seen(start, other) > 100, colourName(other.colour).data());
    }
    for (const Size size : {Size::Small, Size::Large}) {
      Thing other = start;
      other.size = size;
      QVERIFY(seen(start, other) > 50);
    }
    Thing elsewhere = start;
    elsewhere.place = 0;
    QVERIFY(seen(start, elsewhere) > 100);
  }

  void everyNumberDiffersFromTheNext() {
    for (int value = 0; value < 99; ++value) {
      const Thing a{.shape = Shape::Number, .place = 4, .value = value};
      Thing b = a;
      ++b.value;
      QVERIFY2(differences(drawScene({.things = {a}, .seed = 2}),
                           drawScene({.things = {b}, .seed = 2}), 1, 1) > 10,
               std::to_string(value).c_str());
    }
  }

  void aPngHoldsThePicture() {
    const Picture picture = drawScene(SceneGenerator(Split::HeldOut, 1).scene(3));
    const std::string bytes = pngOf(picture);
    QVERIFY(decodePicture(std::as_bytes(std::span(bytes)), "a.png") == picture);
  }
};

EQUIPATCH_TEST(tst_drawing)
#include "tst_drawing.moc"
