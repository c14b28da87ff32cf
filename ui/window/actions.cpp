#include "ui/window/actions.h"

#include "ui/window/icons.h"

namespace equipatch {

Actions::Actions(const Theme& theme, QObject* parent)
    : QObject(parent), m_theme(theme), m_themes(new QActionGroup(this)) {
  open = make(tr("&Open model…"), {QKeySequence::Open});
  openRun = make(tr("Open &run…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_O});
  saveRun = make(tr("&Save run as…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_S});
  exportFigure = make(tr("Export &figure…"), {Qt::CTRL | Qt::Key_E});
  quit = make(tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)});
  run = make(tr("&Run"), {Qt::Key_F5, Qt::CTRL | Qt::Key_R});
  runAgain = make(tr("Run &again as recorded"), {Qt::CTRL | Qt::SHIFT | Qt::Key_R});
  runAgain->setToolTip(
      tr("The run on display once more: the same model, tokens and method"));
  runGrid = make(tr("Run the &grid of number formats"), {Qt::CTRL | Qt::Key_G});
  compareSteps = make(tr("&Compare two runs step by step"), {Qt::CTRL | Qt::Key_D});
  closeRun = make(tr("C&lose run"), {Qt::CTRL | Qt::Key_W});
  reopenRun = make(tr("R&eopen closed run"), {Qt::CTRL | Qt::SHIFT | Qt::Key_T});
  pause = make(tr("&Pause"), {Qt::Key_F6});
  step = make(tr("&Step"), {Qt::Key_F7});
  stop = make(tr("S&top"), {Qt::Key_F8, Qt::SHIFT | Qt::Key_F5});
  followNewest = make(tr("&Follow newest step"), {Qt::CTRL | Qt::Key_End});
  nextMismatch = make(tr("Next &mismatch"), {Qt::Key_F3});
  resetZoom = make(tr("Reset &zoom of all charts"), {Qt::CTRL | Qt::Key_0});
  lab = make(tr("&Lab…"), {Qt::CTRL | Qt::Key_L});
  lab->setToolTip(tr("The papers' experiments, on models trained on the spot (Ctrl+L)"));
  present = make(tr("&Presentation"), {Qt::Key_F11});
  present->setCheckable(true);
  resetLayout = make(tr("Reset &layout"), {Qt::CTRL | Qt::SHIFT | Qt::Key_0});
  help = make(tr("&Help"), {QKeySequence::HelpContents});
  help->setToolTip(tr("First steps, words, keys (F1)"));
  about = make(tr("&About Equipatch"), {});
  quit->setMenuRole(QAction::QuitRole);
  about->setMenuRole(QAction::AboutRole);
  makeThemeActions();
  restyle();
  connect(&theme, &Theme::changed, this, &Actions::restyle);
}

QAction* Actions::make(const QString& text, const QList<QKeySequence>& shortcuts) {
  auto* action = new QAction(text, this);
  action->setShortcuts(shortcuts);
  QString plain = text;
  plain.remove(u'&');
  if (!shortcuts.isEmpty())
    plain += u' ' + tr("(%1)").arg(shortcuts.first().toString(QKeySequence::NativeText));
  action->setToolTip(plain);
  return action;
}

void Actions::makeThemeActions() {
  const QList<QPair<QString, Theme::Mode>> modes = {
      {tr("As the &system"), Theme::Mode::System},
      {tr("&Light"), Theme::Mode::Light},
      {tr("&Dark"), Theme::Mode::Dark}};
  for (const auto& [text, mode] : modes) {
    QAction* action = m_themes->addAction(text);
    action->setCheckable(true);
    action->setData(int(mode));
  }
  connect(m_themes, &QActionGroup::triggered, this, [this](const QAction* action) {
    Q_EMIT themeChosen(Theme::Mode(action->data().toInt()));
  });
}

void Actions::setThemeMode(Theme::Mode mode) {
  for (QAction* action : m_themes->actions())
    action->setChecked(action->data().toInt() == int(mode));
}

void Actions::restyle() {
  const Colours& c = m_theme.colours();
  const QColor disabled =
      m_theme.palette().color(QPalette::Disabled, QPalette::ButtonText);
  run->setIcon(transportIcon(TransportShape::Run, c.accent, disabled));
  pause->setIcon(transportIcon(TransportShape::Pause, c.text, disabled));
  step->setIcon(transportIcon(TransportShape::Step, c.text, disabled));
  stop->setIcon(transportIcon(TransportShape::Stop, c.text, disabled));
}

void Actions::setPhase(RunController::Phase phase) {
  using Phase = RunController::Phase;
  openRun->setEnabled(phase == Phase::Idle);
  run->setEnabled(phase == Phase::Idle || phase == Phase::Paused);
  runGrid->setEnabled(phase == Phase::Idle);
  pause->setEnabled(phase == Phase::Running);
  step->setEnabled(phase == Phase::Idle || phase == Phase::Paused ||
                   phase == Phase::Running);
  stop->setEnabled(phase != Phase::Idle && phase != Phase::Stopping);
}

void Actions::fillMenus(QMenuBar& bar, const QList<QAction*>& dockToggles) {
  QMenu* file = bar.addMenu(tr("&File"));
  file->addActions({open});
  file->addSeparator();
  file->addActions({openRun, saveRun});
  file->addAction(exportFigure);
  file->addSeparator();
  file->addAction(quit);
  QMenu* runMenu = bar.addMenu(tr("&Run"));
  runMenu->addActions({run, pause, step, stop});
  runMenu->addSeparator();
  runMenu->addActions({runAgain, runGrid});
  runMenu->addSeparator();
  runMenu->addActions({compareSteps, closeRun, reopenRun});
  QMenu* view = bar.addMenu(tr("&View"));
  view->addActions({followNewest, nextMismatch, resetZoom});
  view->addAction(lab);
  view->addSeparator();
  view->addActions(dockToggles);
  view->addSeparator();
  view->addMenu(tr("&Theme"))->addActions(m_themes->actions());
  view->addAction(present);
  view->addAction(resetLayout);
  bar.addMenu(tr("&Help"))->addActions({help, about});
}

}  // namespace equipatch
