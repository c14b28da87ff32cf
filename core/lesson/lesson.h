// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

// A lesson as plain data. docs/lessons.md documents the files that lessons are read from.

/// The actions of a lesson in the window. The only files that a lesson names are pictures
/// in its own folder.
enum class LessonVerb {
  Model,      ///< "bundled", or "vision", the bundled vision model
  DType,      ///< "bfloat16", …
  Method,     ///< "balanced", …
  Loop,       ///< "closed", …
  Apply,      ///< "factored" or "materialised"
  Noise,      ///< "on" or "off": whether the noise floor is measured
  RunSteps,   ///< the largest number of tokens of a run, 1 to 64
  Sample,     ///< title of a sample prompt
  Prompt,     ///< text
  Picture,    ///< inserts a picture; name of a file in the lesson's folder
  Absorb,     ///< the absorbed part, in the syntax of --absorb
  Run,        ///< runs the prompt and waits for the end
  Grid,       ///< runs the prompt with each setting of the grid and waits for the end
  Step,       ///< selects a step; "telling": the one at which the context matters most
  Layer,      ///< selects a layer
  Strength,   ///< moves the slider of the strength α and waits for the result
  Table,      ///< shows a chart as a table
  Chart,      ///< shows the chart again in place of its table
  Lab,        ///< opens the lab, runs an experiment with its default settings, and waits
  ImageMap,   ///< maps the run's first image at the selected step: "3", "3 tvd"
  Layers,     ///< whose patches are applied: "all", "none" or "0-3,6"
  Tab,        ///< brings a dock to the front
  ListedRun,  ///< shows again the N-th run that the lesson added to the list, from 1
};

struct LessonAction {
  LessonVerb verb;
  /// `readLesson` checks numbers, file names and fixed words. During the action the
  /// window checks what depends on the program or the run, such as the title of a sample.
  std::string argument;

  bool operator==(const LessonAction&) const = default;
};

/// A part of the window that a step lights up.
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
  Hand,     ///< a row of the patch multiplied out, shown for the lesson only
  Picture,  ///< the run's first image and its map, in place of the charts
};

/// "linf < 0.5", "answer contains 42".
struct LessonCondition {
  enum class Relation { Below, AtMost, Above, AtLeast, Is, IsNot, Contains };

  std::string quantity;  ///< a name in kLessonQuantities (lesson_quantities.h)
  Relation relation = Relation::Is;
  std::string text;     ///< what a text quantity is compared with
  double number = 0.0;  ///< what a number is compared with
  int line = 0;         ///< in the file, from 1; 0: not from a file. == ignores it

  bool operator==(const LessonCondition& other) const {
    return quantity == other.quantity && relation == other.relation &&
           text == other.text && number == other.number;
  }
};

/// A task for the person who follows the lesson. It is solved by bringing the window into
/// the state that the conditions describe.
struct LessonQuestion {
  std::string hint;
  std::vector<LessonCondition> conditions;  ///< answered when all hold
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

/// Gives the value of a quantity in the window; nothing where it has none yet.
using LessonNumber = std::function<std::optional<double>(std::string_view quantity)>;
using LessonText = std::function<std::optional<std::string>(std::string_view quantity)>;

/// True if a condition holds. A quantity without a value fulfils no condition.
bool holds(const LessonCondition& condition, const LessonNumber& number,
           const LessonText& text);

/// The parts that a step lights up, followed by the parts that show the quantities of its
/// question, unless they are lit already.
std::vector<LessonPart> partsOf(const LessonStep& step);

/// Gives the step a question without a hint, which replaces an earlier question. The
/// step's actions become the solution, its expectations the conditions. If the solution
/// runs the prompt, conditions about the selected step and layer are dropped, because
/// they often hold before the run. If the solution changes the prompt, the step lights up
/// only the prompt and, if the solution also runs it, the transport.
void makeQuestion(LessonStep& step);
/// Undoes `makeQuestion`: the solution follows the step's own actions, if it has any, and
/// the conditions replace its expectations. The hint and the conditions that
/// `makeQuestion` dropped are lost; the lit parts stay as they are. A step without a
/// question stays as it is.
void makeStatement(LessonStep& step);

/// "steps 8", as the file has it.
std::string actionText(const LessonAction& action);
/// "linf < 0.5", as the file has it.
std::string conditionText(const LessonCondition& condition);

}  // namespace equipatch
