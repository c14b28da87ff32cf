// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <QList>
#include <QMainWindow>
#include <QMap>
#include <QTimer>
#include <QVariantMap>

#include "ui/model/model_panel.h"
#include "ui/prompt/prompt_editor.h"
#include "ui/window/chart_grid.h"

namespace equipatch {

/// The docks of a window: their default places, and the user's layout in the settings.
class DockLayout final : public QObject {
  Q_OBJECT

 public:
  /// @param window outlives this and owns the docks.
  explicit DockLayout(QMainWindow& window);

  struct Place {
    QString name;   ///< key in the settings, must never change
    QString title;  ///< as the user sees it
    Qt::DockWidgetArea area;
    int extent;             ///< default width (at the top and bottom: height), pixels
    int length = 0;         ///< default height relative to the other docks on its side
    QString behind = {};    ///< name of the dock behind which this one is a tab
    bool presented = true;  ///< stays visible in a presentation
  };
  QDockWidget* add(QWidget* content, const Place& place);
  /// One action per dock, checked while the dock is open, even behind another tab. The
  /// action opens the dock or brings it to the front. If the dock is in front already,
  /// the action hides it, except during a presentation.
  QList<QAction*> toggles() const;
  QList<QWidget*> hiddenInPresentation() const;

  void reset();  ///< shows all docks in their default places and sizes
  void save() const;
  /// Restores the saved layout, or the default if none is saved or Qt refuses it.
  void restore();

 Q_SIGNALS:
  /// One of `toggles` opened a dock or brought it to the front; not for clicks on a tab.
  void opened(QDockWidget* dock);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QDockWidget* find(const QString& name) const;
  void tabifyBehind(QDockWidget* dock, const QString& name);

  struct Dock {
    QDockWidget* widget;
    Place place;
    QAction* toggle;
  };

  QAction* makeToggle(QDockWidget* dock);
  int usualExtent(const Place& place) const;
  void setExtent(const Dock& dock, int extent);
  void addUnknown();
  void restoreExtents();
  void want(Qt::DockWidgetArea area, int extent);
  QMap<QString, int> shownWidths() const;
  void wantMoved();
  void growToWanted();

  QMainWindow& m_window;
  QList<Dock> m_docks;
  /// Dock widths by side, pixels, chosen by the user or restored; default: usualExtent.
  QMap<Qt::DockWidgetArea, int> m_wanted;
  QMap<QString, int> m_pressed;  ///< shownWidths() when a mouse button was pressed
  QVariantMap m_saved;           ///< extents by name; empty once they are restored
  QTimer m_settling{this};       ///< runs while Qt may still change the docks' sizes
};

/// Saves and restores the window's geometry, docks and chart borders, the theme, the
/// prompt, the model and the settings of runs in the user's settings.
class WindowSettings final {
 public:
  /// All parts outlive the WindowSettings.
  struct Parts {
    DockLayout& docks;
    ChartGrid& charts;
    PromptEditor& prompt;
    ModelPanel& model;
    Theme& theme;
    PictureShelf& shelf;
  };
  explicit WindowSettings(const Parts& parts) : m_parts(parts) {}

  /// Applies the saved theme, or the system's if none or an unknown one is saved.
  void restoreTheme();
  /// Restores everything else. The defaults are the initial layout and a sample prompt.
  void restore();
  void save() const;
  /// Saves the prompt, the model and the settings of runs, to disk at once: a run might
  /// crash.
  void saveInputs() const;
  void setThemeMode(Theme::Mode mode);

 private:
  Pictures restoredPictures() const;

  Parts m_parts;
};

}  // namespace equipatch
