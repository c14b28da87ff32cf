// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_gap.h"

#include "core/lesson/lesson_quantities.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

using Relation = LessonCondition::Relation;

std::string gap(const LessonCondition& condition, std::optional<double> number,
                const std::optional<std::string>& text = {}) {
  return gapText(
      condition, [&](std::string_view) { return number; },
      [&](std::string_view) { return text; });
}

}  // namespace

class tst_lesson_gap : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void everyQuantityHasADescription() {
    for (const LessonQuantity& quantity : kLessonQuantities) {
      const std::string name(quantity.name);
      QVERIFY2(!quantityWords(name).empty(), name.c_str());
      const LessonCondition condition{name, Relation::Is, "x", 3.0};
      QVERIFY2(!gap(condition, 1.0, "y").empty(), name.c_str());
      QVERIFY2(gap(condition, 3.0, "x").empty(), name.c_str());
      QVERIFY2(gap(condition, {}).empty(), name.c_str());  // no value
    }
    QVERIFY(quantityWords("moon").empty());
  }

  void gapNamesFoundAndWantedNumbers() {
    QCOMPARE(gap({"margin", Relation::Below, {}, 0.02}, 5.314),
             std::string("the margin is 5.31, but less than 0.02 is wanted"));
    QCOMPARE(gap({"mismatches", Relation::Is, {}, 0.0}, 2.0),
             std::string("the number of tokens with a ✗ is 2, but 0 is wanted"));
    // If both numbers are equal after rounding, more digits are shown.
    QCOMPARE(gap({"margin", Relation::Below, {}, 0.02}, 0.020004),
             std::string("the margin is 0.020004, but less than 0.02 is wanted"));
  }

  void textsAreQuoted() {
    QCOMPARE(gap({"bare", Relation::Is, "4", 0.0}, {}, "1"),
             std::string("the token of the bare pass is “1”, but “4” is wanted"));
    QCOMPARE(
        gap({"answer", Relation::Contains, "Anna", 0.0}, {}, " Ida has it. "),
        std::string("the answer is “Ida has it.”, but a text with “Anna” is wanted"));
    QVERIFY(gap({"bare", Relation::Is, "x", 0.0}, {}, "  ").find("“”") !=
            std::string::npos);
    const std::string far = gap({"answer", Relation::Contains, "x", 0.0}, {},
                                std::string(39, 'a') + "ü" + std::string(9, 'b'));
    QVERIFY2(far.starts_with("the answer is “" + std::string(39, 'a') + "…”"),
             far.c_str());
  }

  void conditionsAreDescribedInWords() {
    QCOMPARE(conditionWords({"margin", Relation::Below, {}, 0.02}),
             std::string("the margin is less than 0.02"));
    QCOMPARE(conditionWords({"left", Relation::AtMost, {}, 1e-5}),
             std::string("the logits' difference with the patch is at most 1×10⁻⁵"));
    QCOMPARE(conditionWords({"mismatches", Relation::Is, {}, 0.0}),
             std::string("the number of tokens with a ✗ is 0"));
    QCOMPARE(conditionWords({"layer", Relation::IsNot, {}, 3.0}),
             std::string("the selected layer is not 3"));
    QCOMPARE(conditionWords({"answer", Relation::Contains, " Ida has it", 0.0}),
             std::string("the answer contains “Ida has it”"));
    QCOMPARE(conditionWords({"bare", Relation::IsNot, "x", 0.0}),
             std::string("the token of the bare pass is not “x”"));
    QCOMPARE(
        conditionWords({"tried-match", Relation::Is, {}, 0.0}),
        std::string("the token at this strength is not that of the contextual pass"));
    QCOMPARE(conditionWords({"bare-agrees", Relation::Above, {}, 0.5}),
             std::string("the token of the bare pass is that of the contextual pass"));
  }

  void gapDescribesWhetherPassesAgree() {
    QCOMPARE(gap({"bare-agrees", Relation::Is, {}, 0.0}, 1.0),
             std::string("the token of the bare pass is that of the contextual pass, but "
                         "another one is wanted"));
    QCOMPARE(gap({"tried-match", Relation::Is, {}, 1.0}, 0.0),
             std::string("the token at this strength is not that of the contextual pass, "
                         "but the same one is wanted"));
  }
};

EQUIPATCH_TEST(tst_lesson_gap)
#include "tst_lesson_gap.moc"
