#pragma once

#include <QAction>
#include <QActionGroup>
#include <QList>
#include <QMenuBar>
#include <QObject>

#include "ui/chart/theme.h"
#include "ui/run/run_controller.h"

namespace equipatch {

/// Every command of the window with its name, shortcut and menu. Widgets show these
/// actions; the main window connects them.
class Actions final : public QObject {
  Q_OBJECT

 public:
  Actions(const Theme& theme, QObject* parent);

  void fillMenus(QMenuBar& bar, const QList<QAction*>& dockToggles);
  /// Enables what makes sense in this phase.
  void setPhase(RunController::Phase phase);
  void setThemeMode(Theme::Mode mode);

  QAction* open;
  QAction* openRun;
  QAction* saveRun;
  QAction* exportFigure;
  QAction* quit;
  QAction* run;
  QAction* runAgain;
  QAction* runGrid;
  QAction* compareSteps;
  QAction* closeRun;
  QAction* reopenRun;
  QAction* pause;
  QAction* step;
  QAction* stop;
  QAction* followNewest;
  QAction* nextMismatch;
  QAction* resetZoom;
  QAction* lab;
  QAction* present;
  QAction* resetLayout;
  QAction* help;
  QAction* about;

 Q_SIGNALS:
  void themeChosen(Theme::Mode mode);

 private:
  QAction* make(const QString& text, const QList<QKeySequence>& shortcuts);
  void makeThemeActions();
  void restyle();

  const Theme& m_theme;
  QActionGroup* m_themes;
};

}  // namespace equipatch
