// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson.h"

#include <array>

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
  void questionHighlightsThePartsOfItsConditions() {
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

  void aStepBecomesAQuestionAndAStatementAgain() {
    const LessonStep before{.title = "T",
                            .text = "t",
                            .lit = {LessonPart::Tokens},
                            .actions = {{LessonVerb::Step, "2"}},
                            .expected = {{"step", Relation::Is, {}, 2.0}},
                            .question = {}};
    LessonStep step = before;
    makeQuestion(step);
    QVERIFY(step.actions.empty() && step.expected.empty());
    QVERIFY(step.question && step.question->solution == before.actions);
    QVERIFY(step.question->conditions == before.expected);
    step.question->hint = "Press →.";
    makeStatement(step);
    QVERIFY(step == before);
    makeStatement(step);  // no question
    QVERIFY(step == before);
    const LessonAction run{LessonVerb::Run, {}};
    step.actions = {run};  // a question written by hand may have actions
    step.question.emplace().solution = before.actions;
    makeStatement(step);
    QVERIFY(step.actions == (std::vector{run, before.actions[0]}));
    step.lit = {LessonPart::Tokens, LessonPart::Logits};
    step.actions = {{LessonVerb::Prompt, "Why?"}, {LessonVerb::Run, {}}};
    const LessonCondition answer{"answer", Relation::Contains, "42"};
    step.expected = {{"layer", Relation::Is, {}, 0.0}, answer};
    makeQuestion(step);
    QVERIFY(step.question->conditions == std::vector{answer});
    QVERIFY(step.lit == (std::vector{LessonPart::Prompt, LessonPart::Transport}));
  }

  void actionsAndConditionsAreWrittenAsInTheFile() {
    QCOMPARE(actionText({LessonVerb::Prompt, "a\nb "}), std::string("prompt a\\nb\\s"));
    QCOMPARE(actionText({LessonVerb::Run, {}}), std::string("run"));
    QCOMPARE(conditionText({"linf", Relation::Below, {}, 0.5}),
             std::string("linf < 0.5"));
    QCOMPARE(conditionText({"answer", Relation::Contains, "42"}),
             std::string("answer contains 42"));
    QCOMPARE(conditionText({"linf", Relation::Below, {}, 0.12345678}),
             std::string("linf < 0.12345678"));
    QCOMPARE(conditionText({"answer", Relation::Contains, "4\n2"}),
             std::string("answer contains 4\\n2"));
  }
};

EQUIPATCH_TEST(tst_lesson)
#include "tst_lesson.moc"
