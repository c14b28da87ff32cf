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

/// Plays a lesson: does the actions of a step, each when the previous one is complete,
/// and judges the reader's answers to questions.
class LessonPlayer final : public QObject {
  Q_OBJECT

 public:
  /// @param lesson with at least one step
  /// @param stage outlives the player.
  LessonPlayer(Lesson lesson, LessonStage& stage, QObject* parent = nullptr);

  const Lesson& lesson() const { return m_lesson; }
  int index() const { return m_index; }  ///< of the current step; −1 before `begin`
  const LessonStep& step() const { return m_lesson.steps[std::size_t(m_index)]; }
  bool isFirst() const { return m_index == 0; }
  bool isLast() const { return m_index + 1 == int(m_lesson.steps.size()); }
  bool isActing() const { return m_acting; }
  /// True while the lesson waits because the reader tries things out.
  bool isTrying() const { return m_trying; }
  /// True if the current step's question was answered, now or at an earlier visit.
  bool isAnswered() const { return m_answered; }
  /// True if the window shows an answer now. False again after a later try that is wrong,
  /// and after the reader left the step and returned.
  bool isAnswerShown() const { return m_answerShown; }
  /// What the reader's newest try lacks, even if an earlier try answered the question;
  /// empty before the first try.
  QString gap() const { return m_tried ? m_gap : QString(); }
  /// Why an action of the step failed; empty once the reader tries things out or answers
  /// the question.
  QString problem() const { return m_problem; }

 public Q_SLOTS:
  void begin() { goTo(0); }
  void jump(int index) { goTo(index); }
  void next();
  void back();
  /// True lets the reader try things out, false returns to the step. The return repeats
  /// the step's actions; on a step with a question, it keeps what the reader did instead.
  void setTrying(bool trying);
  /// Does the actions of the question's solution.
  void solve();

 Q_SIGNALS:
  void changed();

 private:
  /// The run and the values that a question is about, at one moment.
  struct Tried {
    std::shared_ptr<const RunHeader> run;  ///< kept alive: no new run gets its address
    QStringList values;

    bool operator==(const Tried&) const = default;
  };

  void goTo(int index);
  void enterStep(int index);
  void countAnswer();
  void noteSelection(const std::vector<LessonAction>& actions);
  /// Whether the run on display is the one that the current step's actions left, or
  /// answers the step's question.
  bool isAsLessonLeftIt() const;
  /// Whether the current step's `listed-run` actions find the lesson's runs at their
  /// numbers in the list of runs.
  bool findsItsRuns() const;
  /// The step's actions; for a step before the current one also its solution's, because
  /// later steps show their results.
  std::vector<LessonAction> actionsOf(int step) const;
  /// How many runs of the lesson the list should have when the step begins: those that
  /// `actionsOf` the earlier steps make. The action `grid` removes earlier runs.
  std::size_t runsBefore(int step) const;
  std::vector<LessonAction> actionsFrom(int first) const;
  /// The last step, up to the current one, that starts a run. The lesson's first step if
  /// no step does, or if a step from there on chooses a run by its number and the list
  /// lacks earlier runs.
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
  std::optional<LessonAction> m_selected;  ///< how the lesson last selected a step
  std::shared_ptr<const RunHeader> m_run;  ///< the last run that `returnToStep` saw
  RunView m_left;                          ///< the view after the step's actions
  std::set<int> m_solved;                  ///< steps whose question was answered
  bool m_tried = false;
  QString m_gap;                   ///< of the first condition that does not hold
  std::optional<Tried> m_untried;  ///< the state before the reader's first try
  bool m_strayed = false;          ///< the window may differ from what the step set
  bool m_isSolutionDone = false;
  QString m_problem;
  /// The lesson's first `m_ownRuns` runs in the list are those that `runsBefore` counts,
  /// so their numbers are right for "listed-run".
  std::size_t m_ownRuns = 0;
  /// `m_ownRuns` after the actions under way, unless the list then has fewer runs.
  std::size_t m_ownRunsAfter = 0;
};

}  // namespace equipatch
