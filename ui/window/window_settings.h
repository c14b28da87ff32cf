// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/prompt/prompt_editor.h"
#include "ui/window/chart_grid.h"
#include "ui/window/dock_layout.h"

namespace equipatch {

/// What the window keeps in the user's settings from one start to the next: its geometry,
/// docks and chart borders, the theme and the prompt.
class WindowSettings final {
 public:
  /// What is saved and restored; outlives the WindowSettings.
  struct Parts {
    DockLayout& docks;
    ChartGrid& charts;
    PromptEditor& prompt;
    Theme& theme;
  };
  explicit WindowSettings(const Parts& parts) : m_parts(parts) {}

  /// Applies the saved theme, or the system's when none is saved.
  void restoreTheme();
  /// Restores everything else. The defaults are the initial layout and a sample prompt.
  void restore();
  void save() const;
  /// Saves only the prompt's text; called before each run, which might crash.
  void savePromptText() const;
  /// Applies and saves the mode.
  void setThemeMode(Theme::Mode mode);

 private:
  Parts m_parts;
};

}  // namespace equipatch
