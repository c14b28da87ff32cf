// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/recording.h"

#include <algorithm>
#include <utility>

#include "ui/run/run_queue.h"

namespace equipatch {
namespace {

/// A run: the number of the action that makes the run, and the run's index among the runs
/// of that action.
using MadeRun = std::pair<std::size_t, std::size_t>;
/// The runs that the list has when the lesson is played, in the list's order.
using MadeRuns = std::vector<MadeRun>;

bool makesRuns(const LessonAction& action) {
  return action.verb == LessonVerb::Run || action.verb == LessonVerb::Grid;
}

/// A grid first removes all earlier runs.
void addRuns(const LessonAction& action, std::size_t number, MadeRuns& runs) {
  if (action.verb == LessonVerb::Grid) runs.clear();
  const std::size_t made =
      action.verb == LessonVerb::Grid ? precisionGrid({}).size() : std::size_t{1};
  for (std::size_t run = 0; run < made; ++run) runs.emplace_back(number, run);
}

/// Replaces the argument of a "listed-run", a run's number in `before`, with the same
/// run's number in `after`. Numbers begin at 1.
/// @returns false if `after` lacks the run
bool renumber(LessonAction& action, const MadeRuns& before, const MadeRuns& after) {
  const std::size_t number = std::stoul(action.argument);
  if (number == 0 || number > before.size()) return true;  // no such run
  const auto found = std::ranges::find(after, before[number - 1]);
  if (found == after.end()) return false;
  action.argument = std::to_string(found - after.begin() + 1);
  return true;
}

/// Renumbers the runs in "listed-run" actions, as if the step `removed` made no runs.
/// Drops those that show a run of that step, each with the actions after it that concern
/// this run.
class Renumbering {
 public:
  explicit Renumbering(std::size_t removed) : m_removed(removed) {}

  /// Call for the actions of every step, in the lesson's order.
  void apply(std::size_t step, std::vector<LessonAction>& actions) {
    bool isRunMissing = false;
    std::vector<LessonAction> kept;
    for (LessonAction action : actions) {
      ++m_number;
      if (makesRuns(action)) {
        isRunMissing = false;
        addRuns(action, m_number, m_before);
        if (step != m_removed) addRuns(action, m_number, m_after);
      }
      const bool shows = action.verb == LessonVerb::ListedRun;
      if (shows) isRunMissing = !renumber(action, m_before, m_after);
      if (!isRunMissing || !(shows || isOfShownRun(action.verb)))
        kept.push_back(std::move(action));
    }
    actions = std::move(kept);
  }

 private:
  std::size_t m_removed;
  std::size_t m_number = 0;  ///< of the current action, counted over all steps
  MadeRuns m_before, m_after;
};

}  // namespace

bool isOfShownRun(LessonVerb verb) {
  return verb == LessonVerb::Step || verb == LessonVerb::Layer ||
         verb == LessonVerb::Strength || verb == LessonVerb::Layers ||
         verb == LessonVerb::ImageMap;
}

void Recording::addStep(LessonStep step) {
  possible.push_back(step.expected);
  if (step.question)
    for (const LessonCondition& condition : step.question->conditions)
      if (std::ranges::find(possible.back(), condition) == possible.back().end())
        possible.back().push_back(condition);
  lesson.steps.push_back(std::move(step));
}

void Recording::removeStep(std::size_t index) {
  Renumbering renumbering(index);
  for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
    renumbering.apply(step, lesson.steps[step].actions);
    if (auto& question = lesson.steps[step].question)
      renumbering.apply(step, question->solution);
  }
  lesson.steps.erase(lesson.steps.begin() + std::ptrdiff_t(index));
  possible.erase(possible.begin() + std::ptrdiff_t(index));
}

}  // namespace equipatch
