#pragma once

#include "ui/prompt/prompt_editor.h"
#include "ui/window/chart_grid.h"
#include "ui/window/dock_layout.h"

namespace equipatch {

/// What the window keeps in the user's settings from one start to the next: its geometry,
/// docks and chart borders, the theme and the prompt.
class WindowSettings final {
 public:
  /// All outlive this.
  struct Parts {
    DockLayout& docks;
    ChartGrid& charts;
    PromptEditor& prompt;
    Theme& theme;
  };
  explicit WindowSettings(const Parts& parts) : m_parts(parts) {}

  /// The system's theme when none is saved.
  void restoreTheme();
  /// The rest. Without saved values: the default layout and a sample prompt.
  void restore();
  void save() const;
  /// The prompt's text alone, before a run that may not come to its end.
  void savePromptText() const;
  /// Applies and saves it.
  void setThemeMode(Theme::Mode mode);

 private:
  Parts m_parts;
};

}  // namespace equipatch
