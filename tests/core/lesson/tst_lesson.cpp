// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson.h"

#include <set>

#include "core/lesson/lesson_words.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

using Relation = LessonCondition::Relation;

bool isTrue(const LessonCondition& condition, std::optional<double> number,
            const std::optional<std::string>& text) {
  return holds(
      condition, [&](std::string_view) { return number; },
      [&](std::string_view) { return text; });
}

}  // namespace

class tst_lesson : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aMapOfAnImageIsNamed() {
    for (std::size_t i = 0; i < std::size(kLessonMapQuantities); ++i) {
      const auto map = lessonMapOf("64 " + std::string(kLessonMapQuantities[i]));
      QVERIFY(map && map->cells == 64 && map->quantity == i);
    }
    const auto usual = lessonMapOf("2");
    QVERIFY(usual && usual->cells == 2 && usual->quantity == 0);
    for (const char* text : {"", "1", "65", "+3", "3 ", "3 x", "3  tvd", "3\ttvd", "tvd"})
      QVERIFY2(!lessonMapOf(text), text);
  }

  void everyPartHasItsOwnName() {
    std::set<std::string_view> names;
    for (const auto& [word, part] : kLessonParts) {
      QVERIFY2(!partName(part).empty(), std::string(word).c_str());
      names.insert(partName(part));
    }
    QCOMPARE(names.size(), std::size(kLessonParts));
  }

  void aQuestionLightsUpWhatItAsksAbout() {
    LessonStep step{.lit = {LessonPart::Prompt, LessonPart::Transport}, .question = {}};
    QVERIFY(partsOf(step) == step.lit);
    step.question.emplace();
    for (const char* quantity : {"bare", "kept", "margin", "answer"})
      step.question->conditions.push_back({.quantity = quantity});
    QVERIFY(partsOf(step) == (std::vector{LessonPart::Prompt, LessonPart::Transport,
                                          LessonPart::Step, LessonPart::Tokens}));
    step.question->conditions = {{.quantity = "alpha"}, {.quantity = "tried-match"}};
    step.lit = {LessonPart::Strength};
    QVERIFY(partsOf(step) == step.lit);
  }

  void numbersAreCompared() {
    const std::pair<Relation, std::array<bool, 3>> cases[] = {
        {Relation::Below, {true, false, false}}, {Relation::AtMost, {true, true, false}},
        {Relation::Above, {false, false, true}}, {Relation::AtLeast, {false, true, true}},
        {Relation::Is, {false, true, false}},    {Relation::IsNot, {true, false, true}}};
    for (const auto& [relation, results] : cases)
      for (int i = 0; i < 3; ++i)
        QCOMPARE(isTrue({"linf", relation, {}, 2.0}, 1.0 + i, {}),
                 results[std::size_t(i)]);
    QVERIFY(!isTrue({"linf", Relation::IsNot, {}, 2.0}, {}, {}));  // no value yet
  }

  void textsAreCompared() {
    QVERIFY(isTrue({"answer", Relation::Contains, "42"}, {}, " 42<eos>"));
    QVERIFY(!isTrue({"answer", Relation::Is, "42"}, {}, " 42<eos>"));
    QVERIFY(isTrue({"token", Relation::Is, "42"}, {}, "42"));
    QVERIFY(isTrue({"token", Relation::IsNot, "42"}, {}, "17"));
    QVERIFY(!isTrue({"token", Relation::IsNot, "42"}, {}, {}));
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

  void wordsAndValuesAreInverse() {
    for (const auto& [word, part] : kLessonParts) {
      QCOMPARE(lessonValue(kLessonParts, word), std::optional(part));
      QCOMPARE(lessonWord(kLessonParts, part), word);
    }
    QVERIFY(!lessonValue(kLessonParts, "elsewhere"));
    QVERIFY(!lessonValue(kLessonParts, ""));
  }

  void mapsAreReadWithAndWithoutAQuantity() {
    QCOMPARE(lessonMapOf("3")->cells, 3);
    QCOMPARE(lessonMapOf("3")->quantity, 0u);
    QCOMPARE(lessonMapOf("64 tvd")->cells, 64);
    QCOMPARE(kLessonMapQuantities[lessonMapOf("64 tvd")->quantity],
             std::string_view("tvd"));
    for (const char* text :
         {"", "1", "65", "-3", "3 ", "3 kl", "3tvd", " 3", "99999999999"})
      QVERIFY2(!lessonMapOf(text), text);
  }

  void aConditionIsWrittenAsInTheFile() {
    QCOMPARE(conditionText({"linf", Relation::Below, {}, 0.5}),
             std::string("linf < 0.5"));
    QCOMPARE(conditionText({"answer", Relation::Contains, "42"}),
             std::string("answer contains 42"));
  }
};

EQUIPATCH_TEST(tst_lesson)
#include "tst_lesson.moc"
