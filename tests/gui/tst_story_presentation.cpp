// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <QScopeGuard>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>

#include "tests/gui/lesson_story.h"
#include "tests/support/test_case.h"
#include "ui/chart/heatmap_chart.h"
#include "ui/chart/layer_charts.h"
#include "ui/chart/logit_chart.h"
#include "ui/inspect/strength_panel.h"
#include "ui/lab/lab_window.h"

using namespace equipatch;
using equipatch::test::kPatience;
using equipatch::test::LessonStory;

namespace {

bool isSeen(const QWidget& part, const QWidget& window) {
  if (!part.isVisible()) return false;
  QRect rect(part.mapTo(&window, QPoint()), part.size());
  for (const QWidget* each = part.parentWidget(); each && each != &window;
       each = each->parentWidget())
    rect &= QRect(each->mapTo(&window, QPoint()), each->size());
  return rect.height() * 2 > part.height() && rect.width() * 2 > part.width();
}

/// Whether the window is black once its pending events are processed.
bool isBlack(QWidget& window) {
  QCoreApplication::processEvents();
  const QImage picture = window.grab().toImage().convertToFormat(QImage::Format_RGB32);
  for (int y = 0; y < picture.height(); y += 3)
    for (int x = 0; x < picture.width(); x += 3)
      if (picture.pixelColor(x, y) != QColor(Qt::black)) return false;
  return true;
}

}  // namespace

/// The window on a projector, with and without a lesson.
class tst_story_presentation : public equipatch::test::TestCase {
  Q_OBJECT

  /// Starts a presentation. The window has the screen's size, or the size of a small
  /// projector if the screen is narrower.
  static void project(LessonStory& story) {
    story.window.command("present")->trigger();
    QVERIFY(story.window.isFullScreen());
    const QSize screen = story.window.screen()->size();
    story.window.resize(screen.width() < 1280 ? QSize(1280, 720) : screen);
    QCoreApplication::processEvents();
  }
  /// Whether the window fits 1280 × 720 pixels, or the screen if the screen is larger.
  static bool fits(LessonStory& story) {
    const QSize least = story.window.minimumSizeHint();
    const QSize most = QSize(1280, 720).expandedTo(story.window.screen()->size());
    return least.width() <= most.width() && least.height() <= most.height();
  }
  static void run(LessonStory& story) {
    const auto before = story.window.model().sharedHeader();
    QTest::keyClick(&story.window, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(
        story.window.model().sharedHeader() != before && !story.window.model().empty() &&
            story.window.controller().phase() == RunController::Phase::Idle,
        kPatience);
  }

 private Q_SLOTS:
  void f5RunsAnEditedPromptDuringARecording() {
    LessonStory story;
    story.window.setPrompt(QStringLiteral("Who has the lamp? Answer:"));
    story.window.setSteps(2);
    project(story);
    run(story);
    const auto* hint = story.find<QLabel>("presentationHint");
    const auto runsPrompt = [hint] {
      return hint->text().contains(QStringLiteral("F5 runs the prompt"));
    };
    QVERIFY(!runsPrompt() && hint->text().contains(QStringLiteral("F5 plays")));
    story.window.setPrompt(QStringLiteral("Who has the key? Answer:"));
    QVERIFY(runsPrompt());
    RecordDesk& record = story.window.lessons().record();
    record.start();
    QVERIFY(runsPrompt());
    record.discard();
    QVERIFY(runsPrompt());
    story.window.command("present")->trigger();
    QVERIFY(!story.window.isFullScreen());
  }

  void aLessonPlayedInAPresentationIsNotOffered() {
    LessonStory story;
    const auto* offer = story.find<QWidget>("lessonOffer");
    QVERIFY(offer->isVisible());
    project(story);
    story.window.lessons().open(QStringLiteral(":/lessons/1-prompt.md"));
    story.settle();
    story.window.lessons().end();
    story.window.command("present")->trigger();
    QVERIFY(!offer->isVisible());
  }

  void aPresentationHasPromptAndStrengthButtons() {
    LessonStory story;
    story.window.setPrompt(QStringLiteral("Who has the lamp? Ida has the lamp. Answer:"));
    story.window.setSteps(8);
    project(story);
    run(story);
    story.save(QStringLiteral("present"));
    QTRY_VERIFY(fits(story));
    for (const char* name : {"presentPrompt", "presentStrength"}) {
      const auto* button = story.button(name);
      const int text = button->fontMetrics().horizontalAdvance(button->text());
      QTRY_VERIFY2(button->width() > text + 20, name);
      QVERIFY(button->mapTo(&story.window, button->rect().topRight()).x() <
              story.window.width() - 4);
    }
    auto* text = story.find<QTextEdit>("prompt");
    QVERIFY(!text->isVisible());
    QTest::keyClick(&story.window, Qt::Key_P);
    QTRY_VERIFY(isSeen(*text, story.window) && text->hasFocus());
    const auto* hint = story.find<QLabel>("presentationHint");
    QVERIFY(hint->text().startsWith(QStringLiteral("F5 plays the steps")));
    // Here “b” and “.” are text; elsewhere they are shortcuts that blank the window.
    QTest::keyClicks(text, QStringLiteral(" b."));
    QVERIFY(text->toPlainText().endsWith(QStringLiteral("Answer: b.")));
    QVERIFY(hint->text().startsWith(QStringLiteral("F5 runs the prompt")));
    for (int typed = 0; typed < 3; ++typed) QTest::keyClick(text, Qt::Key_Backspace);
    QVERIFY(hint->text().startsWith(QStringLiteral("F5 plays the steps")));
    QTest::keyClicks(text, QStringLiteral(" b."));
    QVERIFY(hint->text().startsWith(QStringLiteral("F5 runs the prompt")));
    story.save(QStringLiteral("present-prompt"));
    QTRY_VERIFY(fits(story));
    run(story);
    QVERIFY(text->hasFocus());
    QVERIFY(story.window.model().header()->request.promptText.ends_with("b."));
    QTest::keyClick(text, Qt::Key_Escape);
    QVERIFY(!text->hasFocus());
    QVERIFY(story.window.command("present")->isChecked());
    QTest::keyClick(&story.window, Qt::Key_P);
    QVERIFY(!text->isVisible());
    // Closing the prompt brings the previous tab to the front again.
    for (const auto& [key, front] :
         {std::pair(Qt::Key_5, "runsDock"), std::pair(Qt::Key_4, "stepDock")}) {
      auto* dock = story.find<QDockWidget>(front);
      QTest::keyClick(&story.window, key, Qt::AltModifier);
      QTRY_VERIFY(!dock->visibleRegion().isEmpty());
      QTest::keyClick(&story.window, Qt::Key_P);
      QTRY_VERIFY(text->hasFocus());
      QTest::keyClick(text, Qt::Key_Escape);
      QTest::keyClick(&story.window, Qt::Key_P);
      QTRY_VERIFY2(!dock->visibleRegion().isEmpty(), front);
      QTest::keyClick(&story.window, key, Qt::AltModifier);  // does not hide the dock
      QVERIFY2(!dock->visibleRegion().isEmpty(), front);
    }

    // The key 2 shows one chart alone; the key S shows all charts again.
    const auto* sizes = story.window.charts().chart<NormChart>();
    QTest::keyClick(&story.window, Qt::Key_2);
    QTRY_VERIFY(sizes->isVisible());
    QVERIFY(!story.window.charts().chart<LogitChart>()->isVisible());
    story.save(QStringLiteral("present-chart"));
    QTest::keyClick(&story.window, Qt::Key_P);
    QTRY_VERIFY(text->hasFocus());
    QTest::keyClick(text, Qt::Key_Escape);
    const auto* below = story.window.charts().chart<ErrorChart>()->parentWidget();
    QVERIFY(!below->isVisible());  // no empty room below the chart
    QTest::keyClick(&story.window, Qt::Key_P);

    auto* slider = story.find<QSlider>("strength");
    QTest::keyClick(&story.window, Qt::Key_S);
    QVERIFY(story.window.charts().chart<LogitChart>()->isVisible());
    QTRY_VERIFY(isSeen(*slider, story.window) && slider->hasFocus());
    const int step = story.window.selection().step();
    QTest::keyClick(slider, Qt::Key_Left);
    QCOMPARE(slider->value(), 95);
    QCOMPARE(story.window.selection().step(), step);
    story.save(QStringLiteral("present-strength"));
    QTRY_VERIFY(fits(story));
    QTest::keyClick(slider, Qt::Key_S);
    QVERIFY(!slider->hasFocus());
    QVERIFY(story.window.charts().chart<ErrorChart>()->isVisible());
    QTest::keyClick(&story.window, Qt::Key_Escape);
    QVERIFY(!story.window.command("present")->isChecked());
    QVERIFY(text->isVisible());
  }

  void aLessonShowsOnlyThePartsItNeeds() {
    LessonStory story;
    story.window.lessons().open(QStringLiteral(":/lessons/1-prompt.md"));
    story.settle();
    project(story);
    auto* lesson = story.find<QWidget>("lessonDock");
    auto* text = story.find<QTextBrowser>("lessonText");
    const auto seen = [&](const char* name) {
      return isSeen(*story.find<QWidget>(name), story.window);
    };
    QTRY_VERIFY(isSeen(*lesson, story.window));
    QVERIFY(text->font().pointSizeF() >= Presentation::kLeastEnlargement * 8.0);
    QTRY_VERIFY(seen("promptDock") && seen("tokensDock") && !seen("stepDock"));
    // The lesson's text is larger than other text even while the prompt is visible.
    QTRY_VERIFY(text->document()->defaultFont().pointSizeF() >
                1.2 * text->font().pointSizeF());
    QVERIFY(!story.window.charts().chart<HeatmapChart>()->isVisible());
    story.save(QStringLiteral("present-lesson-1"));
    for (int step = 1; step <= 5; ++step) {  // sent by a clicker
      QTest::keyClick(&story.window, Qt::Key_PageDown);
      QTRY_COMPARE(story.player()->index(), step);
      story.settle();
      QVERIFY(story.holdsAll(story.player()->step().expected));
      if (step == 1) QTRY_VERIFY(seen("stepDock") && !seen("promptDock"));
      if (step == 4)
        QTRY_VERIFY(isSeen(*story.window.charts().chart<LogitChart>(), story.window));
      if (step == 5) QTRY_VERIFY(isSeen(*story.find<QSlider>("strength"), story.window));
      story.save(QStringLiteral("present-lesson-%1").arg(step + 1));
      QTRY_VERIFY(fits(story));
    }
    QTest::keyClick(&story.window, Qt::Key_PageUp);
    QTRY_COMPARE(story.player()->index(), 4);
    story.settle();
    QTest::keyClick(&story.window, Qt::Key_Escape);
    QVERIFY(story.window.charts().chart<HeatmapChart>()->isVisible());
    QTRY_VERIFY(lesson->isVisible() && story.find<QWidget>("promptDock")->isVisible());
    // A lesson that ends during a presentation leaves hidden docks hidden.
    story.window.command("present")->trigger();
    story.button("lessonEnd")->click();
    QTRY_VERIFY(!story.player());
    QVERIFY(!story.find<QWidget>("modelDock")->isVisible());
    QVERIFY(story.window.charts().chart<HeatmapChart>()->isVisible());
    QTest::keyClick(&story.window, Qt::Key_Escape);
    QTRY_VERIFY(story.find<QWidget>("modelDock")->isVisible());
    QVERIFY(story.find<QWidget>("promptDock")->isVisible());
  }

  void theWindowIsRestoredAfterAPresentation() {
    LessonStory story;
    story.window.lessons().open(QStringLiteral(":/lessons/1-prompt.md"));
    story.settle();
    const auto widths = [&] {
      return QList<int>{story.find<QWidget>("lessonDock")->width(),
                        story.find<QWidget>("stepDock")->width(),
                        story.window.charts().width()};
    };
    QCoreApplication::processEvents();
    const QList<int> before = widths();
    for (const bool turns : {false, true}) {
      project(story);
      if (turns) {
        QTest::keyClick(&story.window, Qt::Key_PageDown);
        QTRY_COMPARE(story.player()->index(), 1);
        story.settle();
      }
      QTRY_VERIFY(story.find<QWidget>("lessonDock")->width() > before[0]);
      story.window.command("present")->trigger();
      QTRY_COMPARE(widths(), before);
    }
  }

  void everyLessonPlays_data() {
    const LessonStory story;  // registers the resources
    QTest::addColumn<QString>("file");
    for (const QString& file : LessonDesk::ownLessons())
      QTest::newRow(qPrintable(QFileInfo(file).baseName())) << file;
  }

  /// While a lesson waits for a run, the visible button Run has the shortcut F5 too. One
  /// press must still request only one run.
  void f5RunsWhereALessonWaitsForARun() {
    LessonStory story;
    story.window.lessons().open(QStringLiteral(":/lessons/1-prompt.md"));
    while (!story.player()->step().question && !story.player()->isLast()) {
      story.playStep();
      if (QTest::currentTestFailed()) return;
      story.window.lessons().turnPage(1);
    }
    QVERIFY(story.player()->step().question);
    story.settle();
    project(story);
    const auto leave = qScopeGuard([&] { story.window.command("present")->trigger(); });
    QSignalSpy asked(story.window.findChild<Presentation*>(),
                     &Presentation::runRequested);
    run(story);
    QCOMPARE(asked.count(), 1);
  }

  void everyLessonPlays() {
    QFETCH(QString, file);
    LessonStory story;
    story.window.lessons().open(file);
    QVERIFY(story.player());
    project(story);
    const auto leave = qScopeGuard([&] {
      if (story.window.isFullScreen()) story.window.command("present")->trigger();
    });
    for (bool last = false; !last;) {
      story.playStep();
      if (QTest::currentTestFailed()) return;
      const int index = story.player()->index();
      QVERIFY(story.window.isFullScreen());
      story.save(QStringLiteral("present-%1-step-%2")
                     .arg(QFileInfo(file).baseName())
                     .arg(index + 1));
      QTRY_VERIFY(fits(story));
      const auto& text = *story.find<QTextBrowser>("lessonText");
      QTRY_VERIFY(isSeen(text, story.window));
      QTRY_COMPARE(text.verticalScrollBar()->maximum(), 0);
      for (const QWidget* part : story.window.lessons().spotlight()->parts())
        QTRY_VERIFY2(isSeen(*part, story.window), qPrintable(part->objectName()));
      if (auto* lab = story.window.findChild<LabWindow*>(); lab && lab->isVisible()) {
        const auto* dock = story.find<QWidget>("lessonDock");
        const QRect lesson(dock->mapToGlobal(QPoint()), dock->size());
        const QRect screen = story.window.geometry();
        QTRY_VERIFY(screen.contains(lab->geometry()) &&
                    lab->width() > screen.width() / 2 &&
                    !lab->geometry().intersects(lesson));
        QCOMPARE(lab->windowType(), Qt::Dialog);  // stays in front of the window
      }
      QTest::keyClick(&story.window, Qt::Key_Period);
      QTRY_VERIFY(isBlack(story.window));
      QTest::keyClick(&story.window, Qt::Key_Period);
      QVERIFY(!isBlack(story.window));
      last = story.player()->isLast();
      QTest::keyClick(&story.window, Qt::Key_PageDown);
      if (!last) QTRY_COMPARE(story.player()->index(), index + 1);
    }
    QCOMPARE(story.player()->index() + 1, int(story.player()->lesson().steps.size()));
  }
};

EQUIPATCH_TEST(tst_story_presentation)
#include "tst_story_presentation.moc"
