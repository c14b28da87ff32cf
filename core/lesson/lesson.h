// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

// docs/lessons.md documents lessons and their files.

/// The actions of a lesson; quotation marks enclose arguments. A lesson can name no files
/// but pictures in its own folder.
enum class LessonVerb {
  Model,      ///< "bundled", or "vision", the bundled vision model
  DType,      ///< "bfloat16", …
  Method,     ///< "balanced", …
  Loop,       ///< "closed", …
  Apply,      ///< "factored" or "materialised"
  Noise,      ///< "on" or "off": whether the noise floor is measured
  RunSteps,   ///< the most tokens that a run may generate, 1 to 64
  Sample,     ///< title of a sample prompt
  Prompt,     ///< text
  Picture,    ///< file name of a picture in the lesson's folder, to insert
  Absorb,     ///< the absorbed part, in the syntax of --absorb
  Run,        ///< runs the prompt and waits for the end
  Grid,       ///< runs the prompt with each setting of the grid and waits for the end
  Step,       ///< selects a step; "telling": the step at which the context matters most
  Layer,      ///< selects a layer
  Strength,   ///< moves the slider of the strength α and waits for the result
  Table,      ///< shows a chart as a table
  Chart,      ///< shows the chart again in place of its table
  Lab,        ///< opens the lab, runs an experiment with its default settings, and waits
  ImageMap,   ///< maps the run's first image at the selected step: "3", "3 tvd"
  Layers,     ///< the layers with an applied patch: "all", "none" or "0-3,6"
  Tab,        ///< brings a dock to the front
  ListedRun,  ///< shows the N-th of the runs that the lesson added to the list, from 1
};

struct LessonAction {
  LessonVerb verb;
  /// `readLesson` does not check what depends on the program or the run, such as the
  /// title of a sample.
  std::string argument;

  bool operator==(const LessonAction&) const = default;
};

/// A part of the window that a step can highlight.
enum class LessonPart {
  Model,
  Prompt,
  Tokens,
  Sentence,
  Logits,
  Sizes,
  Map,
  Errors,
  Step,
  Strength,
  Texts,
  Block,
  Runs,
  Transport,
  Hand,     ///< a table that computes one row of (W + ΔW) z; only in lessons
  Picture,  ///< the run's first image and its map, in place of the charts
};

/// "linf < 0.5", "answer contains 42".
struct LessonCondition {
  enum class Relation { Below, AtMost, Above, AtLeast, Is, IsNot, Contains };

  std::string quantity;  ///< a name in kLessonQuantities (lesson_quantities.h)
  Relation relation = Relation::Is;
  std::string text;     ///< to compare with a text quantity
  double number = 0.0;  ///< to compare with a number
  int line = 0;         ///< in the file, from 1; 0: not from a file. == ignores the line

  bool operator==(const LessonCondition& other) const {
    return quantity == other.quantity && relation == other.relation &&
           text == other.text && number == other.number;
  }
};

/// A task: to bring the window into the state that the conditions describe.
struct LessonQuestion {
  std::string hint;
  std::vector<LessonCondition> conditions;  ///< the task is solved when all hold
  std::vector<LessonAction> solution;

  bool operator==(const LessonQuestion&) const = default;
};

struct LessonStep {
  std::string title;
  std::string text;  ///< Markdown
  std::vector<LessonPart> lit;
  std::vector<LessonAction> actions;
  std::vector<LessonCondition> expected;  ///< true after the actions
  std::optional<LessonQuestion> question;

  bool operator==(const LessonStep&) const = default;
};

struct Lesson {
  std::string title;
  std::string summary;  ///< Markdown
  std::vector<LessonStep> steps;

  bool operator==(const Lesson&) const = default;
};

/// A quantity's value in the window; nullopt while the quantity has none.
using LessonNumber = std::function<std::optional<double>(std::string_view quantity)>;
using LessonText = std::function<std::optional<std::string>(std::string_view quantity)>;

/// False for a quantity without a value.
bool holds(const LessonCondition& condition, const LessonNumber& number,
           const LessonText& text);

/// `step.lit`, then further parts that show the quantities of the step's question.
std::vector<LessonPart> partsOf(const LessonStep& step);

/// Makes the step's actions the solution of a new question, and the expectations the
/// question's conditions. Replaces any earlier question. If the solution runs the prompt,
/// conditions about the selected step and layer are dropped, because they often hold
/// before the run. If the solution changes the prompt, the step highlights only the
/// prompt and, if the solution runs the prompt, the transport.
void makeQuestion(LessonStep& step);
/// Appends the question's solution to the step's actions, replaces the expectations by
/// the question's conditions, and removes the question. Conditions that `makeQuestion`
/// dropped are lost, and the highlighted parts stay as they are.
void makeStatement(LessonStep& step);

/// The action in the form of a lesson's file: "steps 8".
std::string actionText(const LessonAction& action);
/// The condition in the form of a lesson's file: "linf < 0.5".
std::string conditionText(const LessonCondition& condition);

}  // namespace equipatch
