// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_player.h"

#include <algorithm>
#include <utility>

#include "core/lesson/lesson_quantities.h"
#include "ui/chart/number_text.h"
#include "ui/run/run_queue.h"

namespace equipatch {
namespace {

bool isRun(const LessonAction& action) {
  return action.verb == LessonVerb::Run || action.verb == LessonVerb::Grid;
}

bool isListedRun(const LessonAction& action) {
  return action.verb == LessonVerb::ListedRun;
}

bool runs(const LessonStep& step) {
  return std::ranges::any_of(step.actions, isRun);
}

}  // namespace

LessonPlayer::LessonPlayer(Lesson lesson, LessonStage& stage, QObject* parent)
    : QObject(parent), m_lesson(std::move(lesson)), m_stage(stage) {
  // Queued, because all other receivers of the change must update the window first.
  connect(&stage, &LessonStage::changed, this, &LessonPlayer::onStageChanged,
          Qt::QueuedConnection);
  connect(&stage, &LessonStage::failed, this, &LessonPlayer::onActionFailed);
}

void LessonPlayer::next() {
  if (!isLast()) goTo(m_index + 1);
}

void LessonPlayer::back() {
  if (!isFirst()) goTo(m_index - 1);
}

bool LessonPlayer::isAsLessonLeftIt() const {
  if (m_acting || m_strayed) return false;
  if (m_index < 0) return true;
  return step().question ? m_answerShown : m_stage.view().run == m_left.run;
}

bool LessonPlayer::findsItsRuns() const {
  return std::ranges::none_of(step().actions, isListedRun) ||
         (m_stage.listedRuns() == m_ownRuns && m_ownRuns == runsBefore(m_index));
}

std::vector<LessonAction> LessonPlayer::actionsOf(int step) const {
  const LessonStep& wanted = m_lesson.steps[std::size_t(step)];
  std::vector<LessonAction> actions = wanted.actions;
  if (step < m_index && wanted.question)
    actions.insert(actions.end(), wanted.question->solution.begin(),
                   wanted.question->solution.end());
  return actions;
}

std::size_t LessonPlayer::runsBefore(int step) const {
  std::size_t runs = 0;
  for (int before = 0; before < step; ++before)
    for (const LessonAction& action : actionsOf(before)) {
      if (action.verb == LessonVerb::Run) ++runs;
      if (action.verb == LessonVerb::Grid) runs = precisionGrid({}).size();
    }
  return runs;
}

int LessonPlayer::firstStepToHere() const {
  int from = m_index;
  while (from > 0 && !runs(m_lesson.steps[std::size_t(from)])) --from;
  if (std::min(m_ownRuns, m_stage.listedRuns()) >= runsBefore(from)) return from;
  for (int step = from; step <= m_index; ++step)
    if (std::ranges::any_of(actionsOf(step), isListedRun)) return 0;
  return from;
}

std::vector<LessonAction> LessonPlayer::actionsFrom(int first) const {
  std::vector<LessonAction> actions;
  for (int step = first; step <= m_index; ++step)
    for (const LessonAction& action : actionsOf(step)) {
      // The lab shows only the last experiment, so earlier ones need not train.
      if (action.verb == LessonVerb::Lab)
        std::erase_if(actions, [](const LessonAction& earlier) {
          return earlier.verb == LessonVerb::Lab;
        });
      actions.push_back(action);
    }
  return actions;
}

/// If the previous step is as the lesson left it, does only the new step's actions.
/// Otherwise repeats all actions from `firstStepToHere` on, because a step that starts a
/// run makes all settings that the run needs.
void LessonPlayer::goTo(int index) {
  const bool isLeft = index == m_index + 1 && isAsLessonLeftIt();
  if (isLeft && m_index >= 0 && !step().question) m_stage.restoreView(m_left);
  const bool hasItsRuns = isLeft && m_ownRuns == runsBefore(m_index + 1);
  enterStep(index);
  if (hasItsRuns) countAnswer();
  const bool follows = isLeft && findsItsRuns();
  const int first = follows ? index : firstStepToHere();
  const std::vector<LessonAction> actions = follows ? step().actions : actionsFrom(first);
  if (!follows) m_selected.reset();
  noteSelection(actions);
  const std::size_t earlier = runsBefore(first);
  // If the list lacks earlier runs, the new runs get other numbers than the lesson uses.
  m_ownRunsAfter = m_ownRuns >= earlier ? runsBefore(index + 1) : m_ownRuns;
  perform(actions, follows ? std::nullopt : std::optional(earlier));
}

void LessonPlayer::enterStep(int index) {
  m_index = index;
  m_trying = m_strayed = m_tried = m_answerShown = m_isSolutionDone = false;
  m_answered = m_solved.contains(index);
  m_untried.reset();
  m_run.reset();
}

/// Counts the run that answered the previous step's question: it takes the place of the
/// solution's run, which runsBefore() includes. After several tries the list has too many
/// runs, and none is counted.
void LessonPlayer::countAnswer() {
  const std::size_t before = runsBefore(m_index);
  if (m_stage.listedRuns() == before) m_ownRuns = before;
}

void LessonPlayer::noteSelection(const std::vector<LessonAction>& actions) {
  for (const LessonAction& action : actions) {
    if (isRun(action)) m_selected.reset();
    if (action.verb == LessonVerb::Step) m_selected = action;
  }
}

/// @param keptRuns see LessonStage::setKeptRuns
void LessonPlayer::perform(const std::vector<LessonAction>& actions,
                           std::optional<std::size_t> keptRuns) {
  m_stage.stopWaiting();
  m_stage.setKeptRuns(keptRuns);
  m_problem.clear();
  m_actions.assign(actions.begin(), actions.end());
  m_acting = true;
  beginDueActions();
  Q_EMIT changed();
}

void LessonPlayer::beginDueActions() {
  while (m_acting && m_stage.isDone()) {
    if (m_actions.empty()) {
      m_acting = false;
      m_left = m_stage.view();
      m_ownRuns = std::min(m_ownRunsAfter, m_stage.listedRuns());
      onStageChanged();
      return;
    }
    const LessonAction action = m_actions.front();
    m_actions.pop_front();
    m_stage.begin(action);
  }
}

void LessonPlayer::onStageChanged() {
  if (m_index < 0) return;
  if (m_acting) return beginDueActions();
  returnToStep();
  // While a run goes on, a condition may hold by chance.
  if (step().question && m_stage.isIdle()) judge(*step().question);
  Q_EMIT changed();
}

/// A try is a new run, a change of a quantity that the question names, or, if the
/// question is about the selected step, the selection of another step.
void LessonPlayer::judge(const LessonQuestion& question) {
  Tried found{m_stage.finishedRun(), {}};
  QStringList gaps;
  bool holds = true;
  for (const LessonCondition& condition : question.conditions) {
    holds = holds && m_stage.holds(condition);
    if (partThatShows(condition.quantity) == LessonPart::Step)
      found.values << m_stage.valueText("step");
    found.values << m_stage.valueText(condition.quantity);
    gaps << m_stage.gap(condition);
  }
  m_answerShown = holds;
  m_answered = m_answered || holds;
  if (m_answered) m_solved.insert(m_index);
  if (holds) {
    m_gap.clear();
    m_problem.clear();  // the reader did what the failed action could not
  }
  if (holds) return;
  const bool isKnown = !found.values.contains(QString());
  // Waits for the reading at the strength that the page set: its arrival is not a try.
  if (!m_untried && (isKnown || !m_stage.lacksReading())) m_untried = found;
  if (!isKnown) return;
  gaps.removeAll(QString());
  m_gap = gaps.value(0);
  m_tried = m_tried || m_untried != found;
}

/// Selects the lesson's step again, once for each run that the reader makes: the run may
/// have selected another step, but the question is about the lesson's.
void LessonPlayer::returnToStep() {
  const auto run = m_stage.finishedRun();
  if (!step().question || m_trying || !run || run == m_run) return;
  // For the first run after the page began, the lesson's selection still holds.
  const bool isLater = std::exchange(m_run, run) != nullptr;
  if (isLater && m_selected) m_stage.begin(*m_selected);
}

void LessonPlayer::setTrying(bool trying) {
  if (!trying && !step().question) return goTo(m_index);
  m_trying = trying;
  m_strayed = true;
  if (!trying) return onStageChanged();  // what the reader did may answer the question
  m_acting = false;
  m_actions.clear();
  m_problem.clear();
  m_stage.stopWaiting();
  Q_EMIT changed();
}

void LessonPlayer::solve() {
  if (!step().question) return;
  const bool isAgain = std::exchange(m_isSolutionDone, true);
  std::vector<LessonAction> actions;
  std::optional<std::size_t> keptRuns;
  if (std::exchange(m_strayed, false) || isAgain) {
    const int first = firstStepToHere();
    actions = actionsFrom(first);
    keptRuns = runsBefore(first);
  }
  const auto& solution = step().question->solution;
  for (const LessonAction& action : solution)
    if (action.verb == LessonVerb::Step) m_selected = action;
  actions.insert(actions.end(), solution.begin(), solution.end());
  perform(actions, keptRuns);
}

void LessonPlayer::onActionFailed(const QString& problem) {
  if (!m_acting) return;
  m_actions.clear();
  m_acting = false;
  m_strayed = true;
  m_stage.stopWaiting();
  m_problem = sentenceText(problem);
  Q_EMIT changed();
}

}  // namespace equipatch
