// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/scenes/scene.h"

#include <algorithm>
#include <set>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_scene : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aSceneIsReproducible() {
    const SceneGenerator one(Split::Training, 3), same(Split::Training, 3),
        other(Split::Training, 4);
    int equal = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
      QVERIFY(one.scene(i).things == same.scene(i).things);
      QCOMPARE(one.scene(i).seed, same.scene(i).seed);
      equal += one.scene(i).things == other.scene(i).things ? 1 : 0;
    }
    QVERIFY(equal < 5);
  }

  void thingsStandAtDifferentPlaces() {
    const SceneGenerator generator(Split::Training, 1);
    std::set<std::size_t> sizes;
    for (std::uint64_t i = 0; i < 500; ++i) {
      const Scene scene = generator.scene(i);
      sizes.insert(scene.things.size());
      int numbers = 0;
      for (std::size_t k = 0; k < scene.things.size(); ++k) {
        const Thing& thing = scene.things[k];
        QVERIFY(k == 0 || scene.things[k - 1].place < thing.place);
        QVERIFY(scene.at(thing.place) == &thing);
        numbers += thing.shape == Shape::Number ? 1 : 0;
      }
      QVERIFY(numbers <= 1);
      QVERIFY(!scene.at(kPlaces));
    }
    QVERIFY((sizes == std::set<std::size_t>{2, 3, 4, 5}));
  }

  /// No training scene has a thing of the held-out split; every held-out scene has at
  /// least one, beside things of either split.
  void heldOutThingsAreInHeldOutScenesOnly() {
    const SceneGenerator training(Split::Training, 1), heldOut(Split::HeldOut, 1);
    const auto isHeldOut = [](const Thing& thing) {
      return splitOf(thing) == Split::HeldOut;
    };
    for (std::uint64_t i = 0; i < 3000; ++i) {
      QVERIFY(std::ranges::none_of(training.scene(i).things, isHeldOut));
      QVERIFY(std::ranges::any_of(heldOut.scene(i).things, isHeldOut));
    }
  }

  /// Every place has held-out things, but no combination of place, shape and colour is
  /// held out in more than one size.
  void oneInThirtyThingsIsHeldOut() {
    int all = 0;
    for (int place = 0; place < kPlaces; ++place) {
      int here = 0;
      for (int shape = 0; shape < kShapes; ++shape)
        for (int colour = 0; colour < kColours; ++colour) {
          int sizes = 0;
          for (int size = 0; size < kSizes; ++size)
            sizes += splitOf(Thing{.shape = static_cast<Shape>(shape),
                                   .colour = static_cast<Colour>(colour),
                                   .size = static_cast<Size>(size),
                                   .place = place}) == Split::HeldOut;
          QVERIFY(sizes <= 1);
          here += sizes;
        }
      QVERIFY(here > 0);
      all += here;
    }
    QCOMPARE(all, kShapes * kColours * kPlaces * kSizes / 30);
  }

  void numbersAreHeldOutInSomeColoursAndPlaces() {
    int all = 0;
    for (int value = 0; value < 100; ++value) {
      int heldOut = 0;
      for (int colour = 0; colour < kColours; ++colour)
        for (int place = 0; place < kPlaces; ++place)
          heldOut += splitOf(Thing{.shape = Shape::Number,
                                   .colour = static_cast<Colour>(colour),
                                   .place = place,
                                   .value = value}) == Split::HeldOut;
      QVERIFY(heldOut <= kColours * kPlaces / 3);
      QVERIFY(heldOut == 0 || value >= 10);
      all += heldOut;
    }
    QCOMPARE(all, 9 * kColours * kPlaces / 3);
  }

  void numbersHaveOneOrTwoDigits() {
    for (const Split split : {Split::Training, Split::HeldOut}) {
      const SceneGenerator generator(split, 5);
      int one = 0, two = 0;
      for (std::uint64_t i = 0; i < 1000; ++i)
        for (const Thing& thing : generator.scene(i).things)
          if (thing.shape == Shape::Number) ++(thing.value < 10 ? one : two);
      QVERIFY(one > 30 && one < 150);
      QVERIFY(two > 400 && two < 600);
    }
  }

  void shapesColoursAndPlacesHaveNames() {
    std::set<std::string_view> names;
    for (int i = 0; i <= kShapes; ++i) names.insert(shapeName(static_cast<Shape>(i)));
    for (int i = 0; i < kColours; ++i) names.insert(colourName(static_cast<Colour>(i)));
    for (int i = 0; i < kPlaces; ++i) names.insert(placeName(i));
    QCOMPARE(names.size(), std::size_t{kShapes + 1 + kColours + kPlaces});
    QVERIFY(!names.contains(""));
  }
};

EQUIPATCH_TEST(tst_scene)
#include "tst_scene.moc"
