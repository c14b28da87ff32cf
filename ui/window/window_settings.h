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
  /// An action for each dock, which brings it to the front. It hides a dock that is in
  /// front already, except during a presentation.
  QList<QAction*> toggles() const;
  /// Docks that a presentation hides.
  QList<QWidget*> hiddenInPresentation() const;

  void reset();  ///< shows all docks in their default places and sizes
  void save() const;
  /// Restores the saved layout; the default if there is none or Qt refuses it.
  void restore();

 Q_SIGNALS:
  /// One of `toggles` opened a dock, or brought it to the front; a click on its tab does
  /// not emit this.
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
  /// The dock width for each side, chosen by the user or saved, pixels; else usualExtent.
  QMap<Qt::DockWidgetArea, int> m_wanted;
  QMap<QString, int> m_pressed;  ///< shownWidths() when a mouse button was pressed
  QVariantMap m_saved;           ///< saved extents by name; empty once the size settles
  QTimer m_settling{this};       ///< runs while the window's size may still change
};

/// What the window keeps in the user's settings from one start to the next: its geometry,
/// docks and chart borders, the theme, the prompt, the model and the settings of runs.
class WindowSettings final {
 public:
  /// What is saved and restored; outlives the WindowSettings.
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
  /// Saves the prompt, the model and the settings of runs. Called before a lesson and,
  /// outside lessons, before each run that uses them, because a run might crash.
  void saveInputs() const;
  /// Applies and saves the mode.
  void setThemeMode(Theme::Mode mode);

 private:
  Pictures restoredPictures() const;

  Parts m_parts;
};

}  // namespace equipatch
