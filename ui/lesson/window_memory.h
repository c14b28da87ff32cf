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

/// The run on display, what is selected of it, and the strength of its patch.
struct RunView {
  std::shared_ptr<const RunHeader> run;  ///< alive: no new header can get its address
  int step = Selection::kNone;
  int layer = Selection::kNone;
  StrengthPanel::Setting strength;
};

/// `run` with the settings that lessons rely on and have no action for: each pass takes
/// its most likely token, the text continues with the contextual pass's token, the bare
/// pass runs, the ablated pass does not, and an end-of-sequence token ends the run.
RunRequest withLessonTokens(RunRequest run);

/// Keeps the window's state from before a lesson until after it: model, prompt, marks,
/// settings, the run on display, the selection, the patch's strength, the list of runs,
/// the lab's settings, and the layout.
class WindowMemory final {
 public:
  explicit WindowMemory(const LessonWindow& parts) : m_parts(parts) {}

  /// Keeps the window's state, unless one is kept already.
  void keep();
  bool isKept() const { return m_kept.has_value(); }
  /// True while the model that `restore` loads again is still loading. A lesson may begin
  /// meanwhile.
  bool isReloading() const;
  /// The kept settings for new runs. Only while `isKept`.
  const RunRequest& run() const { return m_kept->run; }
  /// True if the run was not in the list when the state was kept, or if no state is kept.
  bool isNew(const ListedRun& run) const;
  /// The rows of the new runs in the list.
  std::vector<int> newRows() const;
  /// Removes the new runs from the list, except the first `kept`, if a state is kept.
  /// RunList::reopen() lists them again only after all runs that the user closed.
  void closeNewRuns(std::size_t kept = 0);
  /// If a state is kept: stops a load or a run, closes the new runs, shows no run, turns
  /// tables into charts, and restores the layout.
  void clear();
  RunView view() const;
  /// Restores the selected step and layer and the patch's strength. The view's run must
  /// be on display.
  void restoreView(const RunView& view);
  /// Call after `clear`. Restores the kept state and forgets it. If the model is no
  /// longer in memory, starts to load it again and does not wait.
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
    std::optional<SessionRequest> loaded;  ///< of the model in the memory
    DisplayedRun displayed;
    RunView view;
    std::vector<Listed> listed;
    std::vector<bool> tables;  ///< for each chart: whether it is a table
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
  std::optional<SessionRequest> m_reloaded;  ///< the last model that `restore` loaded
};

}  // namespace equipatch
