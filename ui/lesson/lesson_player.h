// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <deque>
#include <memory>
#include <optional>
#include <set>

#include "core/lesson/lesson.h"
#include "ui/lesson/lesson_stage.h"

namespace equipatch {

/// Plays a lesson: does the actions of its steps one after another, waiting for
/// each, and knows whether a step's question is answered.
class LessonPlayer final : public QObject {
  Q_OBJECT

 public:
  /// @param lesson with at least one step
  /// @param stage outlives the player.
  LessonPlayer(Lesson lesson, LessonStage& stage, QObject* parent = nullptr);

  const Lesson& lesson() const { return m_lesson; }
  int index() const { return m_index; }  ///< of the step; −1 before `begin`
  const LessonStep& step() const { return m_lesson.steps[std::size_t(m_index)]; }
  bool isFirst() const { return m_index == 0; }
  bool isLast() const { return m_index + 1 == int(m_lesson.steps.size()); }
  /// True if actions are under way.
  bool isActing() const { return m_acting; }
  /// True if the reader tries things out: the lesson waits, and nothing is dimmed.
  bool isTrying() const { return m_trying; }
  /// True if the step's question was answered, now or before the reader left the step.
  bool isAnswered() const { return m_answered; }
  /// True if the window shows an answer now. False after the reader has left the step and
  /// returned, which repeats its actions, and after a later try that does not answer.
  bool isAnswerShown() const { return m_answerShown; }
  /// What the reader's newest try of the question lacks, even if an earlier try answered
  /// it; empty before the first try.
  QString gap() const { return m_tried ? m_gap : QString(); }
  /// Why an action of the step failed; empty if none failed, if the reader has answered
  /// the question since, or while the reader tries things out.
  QString problem() const { return m_problem; }

 public Q_SLOTS:
  void begin() { goTo(0); }
  /// @param index of a step
  void jump(int index) { goTo(index); }
  void next();
  void back();
  /// Lets the reader try things out, or returns to the step. A step with a question keeps
  /// what the reader did; any other repeats its actions.
  void setTrying(bool trying);
  /// Does the actions of the question's solution.
  void solve();

 Q_SIGNALS:
  void changed();

 private:
  /// The run and the values that a question is about, at one moment.
  struct Tried {
    std::shared_ptr<const RunHeader> run;  ///< kept alive: no new run has its address
    QStringList values;

    bool operator==(const Tried&) const = default;
  };

  void goTo(int index);
  void enterStep(int index);
  void countAnswer();
  void noteSelection(const std::vector<LessonAction>& actions);
  /// Whether the run on display is that of the current step, or answers its question.
  bool isAsLessonLeftIt() const;
  /// Whether the list numbers the runs as the current step expects.
  bool findsItsRuns() const;
  /// The step's actions; for a step before the current one, also its solution's.
  std::vector<LessonAction> actionsOf(int step) const;
  /// How many runs of the lesson the list should have before the step's own: those that
  /// the earlier steps make by their `actionsOf`. A grid replaces the runs before it.
  std::size_t runsBefore(int step) const;
  /// All actions from a step on to the current one.
  std::vector<LessonAction> actionsFrom(int first) const;
  /// The last step, up to the current one, that starts a run; the lesson's first step if
  /// none does. Also the first step if the list lacks runs that earlier steps made, and a
  /// step from the found one to the current one chooses a run from the list.
  int firstStepToHere() const;
  void perform(const std::vector<LessonAction>& actions,
               std::optional<std::size_t> keptRuns = {});
  void beginDueActions();
  void onStageChanged();
  void returnToStep();
  void judge(const LessonQuestion& question);
  void onActionFailed(const QString& problem);

  Lesson m_lesson;
  LessonStage& m_stage;
  int m_index = -1;
  std::deque<LessonAction> m_actions;  ///< still to do
  bool m_acting = false, m_trying = false, m_answered = false, m_answerShown = false;
  std::optional<LessonAction> m_selected;  ///< how the lesson selected its step
  std::shared_ptr<const RunHeader> m_run;  ///< for which that selection holds
  RunView m_left;                          ///< what the step's actions left
  std::set<int> m_solved;                  ///< steps whose question was answered
  bool m_tried = false;
  QString m_gap;                   ///< of the first condition that does not hold
  std::optional<Tried> m_untried;  ///< before the reader's first try
  bool m_strayed = false;  ///< the window may differ from the state that the step set
  bool m_isSolutionDone = false;  ///< by "Show me", since the step's actions
  QString m_problem;
  /// The lesson's first `m_ownRuns` runs in the list are those that `runsBefore` counts.
  /// "listed-run" finds them by their numbers.
  std::size_t m_ownRuns = 0;
  /// What `m_ownRuns` becomes when the actions under way are done, unless the list then
  /// has fewer runs.
  std::size_t m_ownRunsAfter = 0;
};

}  // namespace equipatch
