// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/recorded_words.h"

#include <QCoreApplication>
#include <QString>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/number_from.h"
#include "core/base/strings.h"
#include "core/record/context_effect.h"
#include "ui/chart/text_lines.h"
#include "ui/lesson/lesson_recorder.h"

namespace equipatch {
namespace {

using Relation = LessonCondition::Relation;

QString word(const char* text) {
  return QCoreApplication::translate("RecordedWords", text);
}

LessonStep stepOf(const QString& title, const QString& sentence,
                  std::vector<LessonPart> lit) {
  return {.title = title.toStdString(),
          .text = sentence.toStdString() + "\n",
          .lit = std::move(lit),
          .question = {}};
}

/// The largest power of ten up to `value`, times 10^`more`. Values below 1e-12 count as
/// 1e-12.
double powerBelow(double value, int more = 0) {
  const double exponent = std::floor(std::log10(std::max(value, 1e-12))) + more;
  return numberFrom<double>("1e" + std::to_string(int(exponent))).value_or(0.0);
}

bool has(const std::vector<LessonAction>& actions, LessonVerb verb) {
  return std::ranges::find(actions, verb, &LessonAction::verb) != actions.end();
}

/// Collects conditions that hold.
class Observer {
 public:
  explicit Observer(const LessonStage& stage) : m_stage(stage) {}

  void is(const char* quantity) {
    if (const auto value = m_stage.number(quantity))
      add({.quantity = quantity, .relation = Relation::Is, .number = *value});
  }
  void atLeast(const char* quantity) {
    if (const auto value = m_stage.number(quantity))
      add({.quantity = quantity, .relation = Relation::AtLeast, .number = *value});
  }
  /// Expects only the grid's runs: other runs in the list may be missing when the lesson
  /// is played.
  void runsOfGrid() {
    add({.quantity = "runs",
         .relation = Relation::AtLeast,
         .number = double(precisionGrid({}).size())});
  }
  /// Expects at least the largest power of ten up to the present value.
  void large(const char* quantity) {
    const auto value = m_stage.number(quantity);
    if (value && *value > 0.0 && std::isfinite(*value))
      add({.quantity = quantity,
           .relation = Relation::AtLeast,
           .number = powerBelow(*value)});
  }
  /// Expects less than a power of ten that is 10 to 100 times the present value, and at
  /// least 1e-10. The margin is needed because rounding differs between processors.
  void small(const char* quantity) {
    if (const auto value = m_stage.number(quantity); value && std::isfinite(*value))
      add({.quantity = quantity,
           .relation = Relation::Below,
           .number = powerBelow(*value, 2)});
  }
  void word(const char* quantity) {
    const auto value = m_stage.text(quantity);
    if (value && !value->empty())
      add({.quantity = quantity, .relation = Relation::Is, .text = *value});
  }
  void answer() {
    if (!m_stage.text("answer")) return;
    const std::string text = trimmed(m_stage.readableAnswer());
    if (!text.empty())
      add({.quantity = "answer", .relation = Relation::Contains, .text = text});
  }
  std::vector<LessonCondition> take() { return std::move(m_conditions); }

 private:
  void add(LessonCondition condition) {
    if (m_stage.holds(condition)) m_conditions.push_back(std::move(condition));
  }

  const LessonStage& m_stage;
  std::vector<LessonCondition> m_conditions;
};

/// "“… Which one belongs to coin?” goes on: “42.”"
QString titleOfRun(const RunHeader& run, const RunModel& steps, RunEnding ending) {
  constexpr qsizetype kMost = 32;  // characters of each text
  const QString prompt = endOfText(QString::fromStdString(run.request.promptText), kMost);
  const QString answer = startOfText(
      QString::fromStdString(readableText(steps.records(), run.request, ending)), kMost);
  return prompt.isEmpty() ? word("The model goes on: “%1”").arg(answer)
                          : word("“%1” goes on: “%2”").arg(prompt, answer);
}

/// @param argument of the action image-map, the cells of a side with or without a
/// quantity: "3", "3 tvd" or "3 patch"
QString sentenceOfMap(const QString& argument) {
  return argument.endsWith(QStringLiteral("patch"))
             ? word(
                   "The map shows for each part of the image how large the patch still "
                   "is when only this part is kept.")
             : word(
                   "The map shows for each part of the image how far the pass without a "
                   "patch is off when it sees this part alone.");
}

}  // namespace

LessonStep wordsOfRun(const RunHeader& run, const RunModel& steps, RunEnding ending) {
  return stepOf(
      titleOfRun(run, steps, ending),
      word("The model reads the prompt and generates. The passes agree on **%1 of %2** "
           "tokens.")
          .arg(steps.stepCount() - steps.mismatchCount())
          .arg(steps.stepCount()),
      {LessonPart::Tokens, LessonPart::Logits});
}

LessonStep wordsOfGrid(LessonStep run) {
  run.title = word("The grid of dtypes").toStdString();
  run.text = word(
                 "The prompt is run in float32 and with three settings in bfloat16; a "
                 "box for each shows how far the passes are apart.")
                 .toStdString() +
             "\n";
  run.lit = {LessonPart::Runs, LessonPart::Logits};
  return run;
}

LessonStep wordsOfView(LessonAction action, std::vector<LessonPart> lit) {
  const QString argument = QString::fromStdString(action.argument);
  LessonStep step;
  switch (action.verb) {
    case LessonVerb::Step:
      step = stepOf(word("Step %1").arg(argument), word("Look at step %1.").arg(argument),
                    std::move(lit));
      break;
    case LessonVerb::Layer:
      step = stepOf(word("Layer %1").arg(argument),
                    word("Look at layer %1.").arg(argument), std::move(lit));
      break;
    case LessonVerb::Strength:
      step = stepOf(
          word("%1 times the patch").arg(argument),
          word("The patched pass runs again with %1 times the patch.").arg(argument),
          std::move(lit));
      break;
    case LessonVerb::ImageMap:
      step = stepOf(word("Which part of the image?"), sentenceOfMap(argument),
                    std::move(lit));
      break;
    case LessonVerb::Layers:
      step = stepOf(word("The patch in some layers"),
                    argument == QStringLiteral("all")
                        ? word("All layers are patched again.")
                        : word("Only these layers are patched now: %1.").arg(argument),
                    std::move(lit));
      break;
    case LessonVerb::Tab:
      step = stepOf(word("Another panel"), word("Look at this panel."), std::move(lit));
      break;
    case LessonVerb::ListedRun:
      step = stepOf(word("Back to run %1").arg(argument),
                    word("The window shows this run of the list again."), std::move(lit));
      break;
    case LessonVerb::Table:
      step = stepOf(word("The numbers"), word("The chart as a table."), std::move(lit));
      break;
    default:  // LessonVerb::Chart
      step =
          stepOf(word("The chart"), word("The table as a chart again."), std::move(lit));
  }
  step.actions.push_back(std::move(action));
  return step;
}

LessonStep wordsOfLab(const LabResult& result) {
  return stepOf(QString::fromStdString(result.title),
                word("The lab's window shows what the experiment finds."), {});
}

LessonStep wordsOfSettings() {
  return stepOf(word("Other settings"), word("Press Run (F5) to see what changes."),
                {LessonPart::Model, LessonPart::Prompt});
}

std::string strengthWord(int percent) {
  return QString::number(percent / 100.0).toStdString();
}

std::vector<LessonCondition> conditionsNow(const LessonStage& stage,
                                           const std::vector<LessonAction>& actions) {
  Observer see(stage);
  if (has(actions, LessonVerb::Lab)) {
    see.atLeast("lab-curves");
    return see.take();
  }
  if (has(actions, LessonVerb::ImageMap)) see.is("map-cells");
  if (has(actions, LessonVerb::Grid)) see.runsOfGrid();
  if (has(actions, LessonVerb::Step)) see.is("step");
  if (has(actions, LessonVerb::Layer)) see.is("layer");
  if (has(actions, LessonVerb::Layers)) see.is("layers-on");
  if (has(actions, LessonVerb::Strength)) {
    see.is("alpha");
    see.is("tried-match");
    see.large("tried-linf");
  }
  see.is("mismatches");
  for (const char* each : {"token", "patched", "bare"}) see.word(each);
  see.answer();
  see.atLeast("steps");
  for (const char* each : {"worth", "bare-linf", "margin"}) see.large(each);
  for (const char* each : {"left", "linf", "hidden-error"}) see.small(each);
  return see.take();
}

std::vector<LessonCondition> usualOf(const std::vector<LessonCondition>& conditions) {
  constexpr std::array<std::string_view, 9> kUsual{
      "mismatches", "step",  "lab-curves",  "map-cells", "runs",
      "layer",      "alpha", "tried-match", "layers-on"};
  std::vector<LessonCondition> usual;
  for (const LessonCondition& condition : conditions)
    if (std::ranges::find(kUsual, condition.quantity) != kUsual.end())
      usual.push_back(condition);
  return usual;
}

}  // namespace equipatch
