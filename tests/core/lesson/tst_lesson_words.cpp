// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_words.h"

#include <set>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_lesson_words : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void wordsAndValuesAreInverse() {
    for (const auto& [word, verb] : kLessonVerbs) {
      QCOMPARE(lessonValue(kLessonVerbs, word), std::optional(verb));
      QCOMPARE(lessonWord(kLessonVerbs, verb), word);
    }
    for (const auto& [word, part] : kLessonParts) {
      QCOMPARE(lessonValue(kLessonParts, word), std::optional(part));
      QCOMPARE(lessonWord(kLessonParts, part), word);
    }
    QVERIFY(!lessonValue(kLessonParts, "elsewhere"));
    QVERIFY(!lessonValue(kLessonParts, ""));
  }

  void quantitiesAreLookedUpByName() {
    QVERIFY(isTextQuantity("token") && !isTextQuantity("linf") && !isTextQuantity("x"));
    QCOMPARE(partThatShows("linf"), std::optional(LessonPart::Step));
    QVERIFY(!partThatShows("kept") && !partThatShows("x"));
    QVERIFY(quantityNamed("linf") && !quantityNamed("x"));
  }

  void everyLessonPartHasItsOwnName() {
    std::set<std::string_view> names;
    for (const auto& [word, part] : kLessonParts) {
      QVERIFY2(!partName(part).empty(), std::string(word).c_str());
      names.insert(partName(part));
    }
    QCOMPARE(names.size(), std::size(kLessonParts));
  }

  void layersAreReadAsTheyAreWritten() {
    for (int bits = 0; bits < 64; ++bits) {
      std::vector<bool> layers;
      for (int i = 0; i < 6; ++i) layers.push_back((bits >> i) & 1);
      QVERIFY(layersOf(layersText(layers), 6) == layers);
    }
    QCOMPARE(layersText({true, true, true, false, true, false}), std::string("0-2,4"));
    for (const char* text : {"", "6", "0-6", "3-1", "2,1", "1,1", "1-", "-1", "1,", "a",
                             "0 1", "99999999999999999999", "All"})
      QVERIFY2(!layersOf(text, 6), text);
  }

  void imageMapArgumentsAreParsed() {
    for (std::size_t i = 0; i < std::size(kImageMapQuantities); ++i) {
      const auto map = imageMapOf("64 " + std::string(kImageMapQuantities[i]));
      QVERIFY(map && map->cells == 64 && map->quantity == i);
    }
    const auto usual = imageMapOf("2");
    QVERIFY(usual && usual->cells == 2 && usual->quantity == 0);
    for (const char* text : {"", "1", "65", "+3", "-3", "3 ", "3 kl", "3tvd", "3  tvd",
                             "3\ttvd", " 3", "tvd", "99999999999"})
      QVERIFY2(!imageMapOf(text), text);
  }
};

EQUIPATCH_TEST(tst_lesson_words)
#include "tst_lesson_words.moc"
