// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QTest>

#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/run_to_end.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/chart/small_widgets.h"
#include "ui/export/data_dialog.h"
#include "ui/export/export_dialog.h"
#include "ui/export/page_dialog.h"
#include "ui/lab/lab_window.h"
#include "ui/model/hub_dialog.h"
#include "ui/model/model_card.h"
#include "ui/run/session_engine.h"
#include "ui/runs/difference_dialog.h"
#include "ui/window/help_dialog.h"
#include "ui/window/main_window.h"

using namespace equipatch;
using equipatch::test::kPatience;

namespace {

using Phase = RunController::Phase;
constexpr int kGridRuns = 3;  // the grid has four runs; `run` has made one
constexpr QSize kSmallest(900, 600);
constexpr QSize kMostDialog(892, 560);  // the smallest screen less a frame

/// The window with the bundled model. The window fills the screen, or has the size
/// kSmallest if the screen is narrower.
struct SizedStory {
  test::QuietPlatform quiet;
  test::ScratchSettings settings;
  SessionEngine engine;
  MainWindow window{engine};
  QStringList problems;

  SizedStory() {
    const auto folder = test::data("../../resources/models/equipatch-tiny");
    window.setFolder(QString::fromStdString(folder.lexically_normal().string()));
    window.setSteps(6);
    window.resize(size());
    window.show();
    static_cast<void>(QTest::qWaitForWindowActive(&window));
  }

  QSize size() const {
    const QSize screen = window.screen()->size();
    return screen.width() >= kSmallest.width() ? screen : kSmallest;
  }
  Phase phase() const { return window.controller().phase(); }
  void run() { test::runToEnd(window); }
  void runGrid() {
    const RunList& runs = window.runs();
    const int before = runs.count();
    window.command("runGrid")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(runs.count() == before + kGridRuns && phase() == Phase::Idle,
                             kPatience);
  }
  /// Saves screenshots in both themes to the folder EQUIPATCH_PICTURES, if it is set.
  void save(const QString& name, QWidget* widget = nullptr) {
    const QString folder = qEnvironmentVariable("EQUIPATCH_PICTURES");
    if (folder.isEmpty()) return;
    QVERIFY(QDir().mkpath(folder));
    for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
      window.setThemeMode(mode);
      QTest::qWait(150);  // charts and previews draw when idle
      const QString look =
          mode == Theme::Mode::Light ? QStringLiteral("light") : QStringLiteral("dark");
      const QString path = folder + u'/' + name + u'-' + look + QStringLiteral(".png");
      QVERIFY((widget ? widget : &window)->grab().save(path));
    }
  }
};

/// The visible widgets that are not wholly inside the window. Widgets in scroll areas and
/// behind tabs do not count.
QStringList cutWidgets(const QWidget& part) {
  QStringList cut;
  for (const QWidget* widget : part.findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->isWindow() || widget->window() != &part) continue;
    bool elsewhere = false;  // Qt places a dock behind another tab at y < 0
    for (const QWidget* each = widget; each && each != &part; each = each->parentWidget())
      elsewhere |= (each != widget && qobject_cast<const QAbstractScrollArea*>(each)) ||
                   (qobject_cast<const QDockWidget*>(each) && each->y() < 0);
    if (elsewhere) continue;
    const QRect place(widget->mapTo(&part, QPoint()), widget->size());
    if (!part.rect().contains(place))
      cut << QStringLiteral("%1 %2 at %3,%4 to %5,%6")
                 .arg(QString::fromLatin1(widget->metaObject()->className()),
                      widget->objectName())
                 .arg(place.left())
                 .arg(place.top())
                 .arg(place.right())
                 .arg(place.bottom());
  }
  return cut;
}

/// The widgets that Tab reaches but that have no accessible name.
QStringList namelessWidgets(const QWidget& part) {
  QStringList nameless;
  for (QWidget* widget : part.findChildren<QWidget*>()) {
    const bool reached = widget->isVisible() && widget->isEnabled() &&
                         widget->window() == &part && !widget->focusProxy() &&
                         widget->focusPolicy() & Qt::TabFocus;
    if (!reached || qobject_cast<QAbstractSpinBox*>(widget->parentWidget())) continue;
    const auto* spoken = QAccessible::queryAccessibleInterface(widget);
    if (!spoken || spoken->text(QAccessible::Name).isEmpty())
      nameless << QStringLiteral("%1 %2 has no name")
                      .arg(QString::fromLatin1(widget->metaObject()->className()),
                           widget->objectName());
  }
  return nameless;
}

/// The texts of empty charts that are shown shortened, as they are shown.
QStringList cutSentences(const QWidget& part) {
  QStringList cut;
  for (const auto* label : part.findChildren<FittingLabel*>())
    if (label->isVisible() && label->shown().remove(u'\n') != label->text().remove(u'\n'))
      cut << label->shown();
  return cut;
}

}  // namespace

/// The window, its docks and its dialogs fit the screen.
class tst_story_sizes : public equipatch::test::TestCase {
  Q_OBJECT

  static constexpr const char* kTabs[] = {"stepDock", "runsDock", "blockDock",
                                          "textDock"};

  static void showTabs(SizedStory& story, const QString& prefix) {
    for (const char* name : kTabs) {
      auto* dock = story.window.findChild<QDockWidget*>(QString::fromLatin1(name));
      dock->raise();
      QTRY_VERIFY(!dock->widget()->visibleRegion().isEmpty());
      story.save(prefix + QString::fromLatin1(name));
      story.problems << cutWidgets(story.window);
    }
  }
  /// Saves a picture of the dialog, checks its size and widgets, and closes it.
  static void look(SizedStory& story, QWidget* dialog, const QString& name) {
    QVERIFY2(dialog, qPrintable(name));
    QTRY_VERIFY(dialog->isVisible());
    story.save(name, dialog);
    const QSize least = dialog->minimumSizeHint().expandedTo(dialog->minimumSize());
    if (least.width() > kMostDialog.width() || least.height() > kMostDialog.height())
      story.problems << QStringLiteral("%1 is at least %2 by %3")
                            .arg(name)
                            .arg(least.width())
                            .arg(least.height());
    for (const QString& problem : cutWidgets(*dialog) + namelessWidgets(*dialog))
      story.problems << name + u' ' + problem;
    dialog->close();
  }

 private Q_SLOTS:
  void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }

  void nothingInTheWindowIsCut() {
    SizedStory story;
    story.save(QStringLiteral("0-empty"));
    story.problems << cutWidgets(story.window) << cutSentences(story.window);
    story.run();
    showTabs(story, QStringLiteral("1-run-"));
    story.runGrid();
    showTabs(story, QStringLiteral("2-grid-"));
    story.window.command("resetLayout")->trigger();
    QCoreApplication::processEvents();
    QCOMPARE(story.window.size(), story.size());
    QCOMPARE(story.problems.join(u'\n'), QString());
  }

  void nothingInTheDialogsIsCut() {
    SizedStory story;
    story.run();
    story.runGrid();
    const auto open = [&story](const char* command) {
      story.window.command(command)->trigger();
    };
    for (int kind = 0; kind < kFigureKinds - 1; ++kind) {  // one kind needs images
      open("exportFigure");
      auto* dialog = story.window.findChild<ExportDialog*>();
      dialog->kinds()->setCurrentIndex(kind);
      look(story, dialog, QStringLiteral("3-figure-%1").arg(kind));
      QTRY_VERIFY(!story.window.findChild<ExportDialog*>());
    }
    open("exportFigure");
    auto* text = story.window.findChild<ExportDialog*>();
    text->previews()->setCurrentWidget(text->text());
    look(story, text, QStringLiteral("3-figure-text"));
    QTRY_VERIFY(!story.window.findChild<ExportDialog*>());
    open("exportData");
    look(story, story.window.findChild<DataDialog*>(), QStringLiteral("4-data"));
    open("exportPage");
    look(story, story.window.findChild<PageDialog*>(), QStringLiteral("5-page"));
    QTRY_VERIFY(!story.window.findChild<PageDialog*>());
    open("open");
    look(story, story.window.findChild<QFileDialog*>(), QStringLiteral("6-model"));
    open("getModel");
    look(story, story.window.findChild<HubDialog*>(), QStringLiteral("7-hub"));
    open("earlierRuns");
    look(story, story.window.findChild<QDialog*>(QStringLiteral("earlierRuns")),
         QStringLiteral("8-earlier"));
    open("about");
    look(story, story.window.findChild<QMessageBox*>(), QStringLiteral("9-about"));
    open("help");
    auto* help = story.window.findChild<HelpDialog*>();
    for (int page = 0; page < help->pages()->count(); ++page) {
      help->show();
      help->pages()->setCurrentIndex(page);
      look(story, help, QStringLiteral("a-help-%1").arg(page));
    }
    open("compareSteps");
    look(story, story.window.findChild<DifferenceDialog*>(), QStringLiteral("c-compare"));
    story.window.findChild<QPushButton*>(QStringLiteral("showCard"))->click();
    look(story, story.window.findChild<CardDialog*>(), QStringLiteral("d-card"));
    open("lab");
    auto* lab = story.window.findChild<LabWindow*>();
    look(story, lab, QStringLiteral("b-lab"));
    QCOMPARE(story.problems.join(u'\n'), QString());
  }
};

EQUIPATCH_TEST(tst_story_sizes)
#include "tst_story_sizes.moc"
