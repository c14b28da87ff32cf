// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ui/inspect/strength_panel.h"
#include "ui/lab/lab_window.h"
#include "ui/lesson/lesson_window.h"
#include "ui/run/displayed_run.h"

namespace equipatch {

/// What the window shows of the run on display.
struct RunView {
  std::shared_ptr<const RunHeader> run;  ///< owned, so that its address stays unique
  int step = Selection::kNone;
  int layer = Selection::kNone;
  StrengthPanel::Setting strength;
};

/// Changes settings that no action sets to the values that lessons rely on: greedy tokens
/// of the contextual pass, a bare but no ablated pass, end at end-of-sequence.
RunRequest withLessonTokens(RunRequest run);

/// Keeps the window's state during a lesson and restores it afterwards.
class WindowMemory final {
 public:
  explicit WindowMemory(const LessonWindow& parts) : m_parts(parts) {}

  /// Does nothing if a state is kept already.
  void keep();
  bool isKept() const { return m_kept.has_value(); }
  /// True while the model that `restore` loads again is still loading.
  bool isReloading() const;
  /// The kept settings for new runs. Requires `isKept`.
  const RunRequest& run() const { return m_kept->run; }
  /// True if the run was not in the list when the state was kept, or if no state is kept.
  bool isNew(const ListedRun& run) const;
  /// The rows of new runs in the list.
  std::vector<int> newRows() const;
  /// If a state is kept: closes the new runs, except the first `kept`, as
  /// `RunList::Reopened::Late`.
  void closeNewRuns(std::size_t kept = 0);
  /// If a state is kept: stops a load or a run, closes the new runs, shows no run and no
  /// tables, and restores the layout.
  void clear();
  RunView view() const;
  /// The view's run must be on display.
  void restoreView(const RunView& view);
  /// Call after `clear`. Restores and forgets the kept state. Starts to load the model
  /// again if needed, and does not wait.
  void restore();

 private:
  struct Listed {
    std::filesystem::path file;
    std::shared_ptr<const RunHeader> header;
    bool ticked = false;

    bool is(const ListedRun& run) const;
  };
  struct State {
    QByteArray layout;
    PromptEditor::State prompt;
    ModelPanel::State models;
    RunRequest run;
    /// Of the loaded model, or of the model that `restore` is loading again.
    std::optional<SessionRequest> loaded;
    DisplayedRun displayed;
    RunView view;
    std::vector<Listed> listed;
    std::vector<bool> tables;  ///< in the order of charts()
    LabWindow::State lab;
    bool isLabOpen = false;
  };

  std::optional<SessionRequest> loadedNow() const;
  std::vector<ChartView*> charts() const;
  StrengthPanel& strength() const { return *m_parts.window.findChild<StrengthPanel*>(); }
  void reopenRuns(const State& state);
  void tickRuns(const State& state);
  void restorePrompt(const State& state);
  void restoreModel(const State& state);

  const LessonWindow m_parts;
  std::optional<State> m_kept;
  /// Of the model that the last `restore` began to load; empty: it loaded none.
  std::optional<SessionRequest> m_reloaded;
};

}  // namespace equipatch
