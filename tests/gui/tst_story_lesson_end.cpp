// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <fstream>

#include "tests/gui/lesson_story.h"
#include "tests/support/test_case.h"
#include "ui/inspect/strength_panel.h"

using namespace equipatch;
using equipatch::test::kPatience;
using equipatch::test::LessonStory;

namespace {

QString runName(const RunHeader* header) {
  return header ? QString::number(quintptr(header), 16) : QStringLiteral("none");
}

QString strengthText(const StrengthPanel& panel) {
  QString text = QStringLiteral("strength %1 on layers").arg(panel.alpha());
  for (const std::int64_t layer : panel.layers().chosen())
    text += QStringLiteral(" %1").arg(layer);
  return text;
}

/// The state that the end of a lesson must restore, as lines that a failing test prints.
QStringList windowState(LessonStory& story) {
  MainWindow& window = story.window;
  const auto* models = window.findChild<ModelPanel*>();
  const auto* prompt = window.findChild<PromptEditor*>();
  const SessionRequest model = models->modelRequest();
  const RunRequest run = models->runRequest();
  const Selection& selection = window.selection();
  QStringList state{
      "title " + window.windowTitle(),
      "model " + QString::fromStdString(model.folder.string()) + ", dtype " +
          QString::number(model.dtype ? int(*model.dtype) : -1),
      QString::asprintf("method %d, loop %d, application %d, steps %d, noise %d",
                        int(run.patch.method), int(run.patch.loop),
                        int(run.patch.application), int(run.steps), run.measureNoise),
      "prompt " + prompt->text() + ", form " + QString::number(int(prompt->form())) +
          ", tokens " + prompt->countText(),
      "absorbed " + QString::fromStdString(prompt->absorbed()),
      "run " + runName(window.model().header()) + " of " +
          QString::fromStdString(window.controller().file().string()),
      QString::asprintf("%d steps, step %d, layer %d", window.model().stepCount(),
                        selection.step(), selection.layer()),
      strengthText(*window.findChild<StrengthPanel*>()),
      window.command("present")->isChecked() ? "presented" : "not presented",
      "message " + window.messages().text()};
  state << "phase " + QString::number(int(window.controller().phase()));
  const bool isLoaded = window.controller().loaded() != nullptr;
  state << "in the memory " +
               (isLoaded ? QString::fromStdString(
                               window.controller().modelRequest()->folder.string())
                         : QStringLiteral("nothing"));
  for (auto* dock : window.findChildren<QDockWidget*>())
    state << dock->objectName() + (dock->isHidden()                  ? " hidden"
                                   : dock->visibleRegion().isEmpty() ? " behind"
                                                                     : " in front");
  state.sort();
  const RunList& runs = window.runs();
  for (int row = 0; row < runs.count(); ++row)
    state << QStringLiteral("listed %1: ").arg(row) + runs.at(row).name +
                 (runs.at(row).shown ? " ticked" : "") +
                 (runs.current() == row ? " current " : " ") +
                 runName(runs.at(row).header.get());
  for (const char* chart : {"logits", "sizes", "map", "errors"})
    if (window.lessons().stage().chart(chart)->isTable())
      state << QString::fromLatin1(chart) + " as a table";
  return state;
}

/// The lines in which two states differ.
QString windowDifference(const QStringList& before, const QStringList& now) {
  QStringList lines;
  for (const QString& line : before)
    if (!now.contains(line)) lines << "was: " + line;
  for (const QString& line : now)
    if (!before.contains(line)) lines << "is: " + line;
  return lines.join(u'\n');
}

/// Counts the runs and steps that the window puts on display while this object exists.
struct DisplayCount {
  explicit DisplayCount(LessonStory& story) {
    const RunModel* model = &story.window.model();
    const auto count = [this, model] {
      if (model->header()) ++m_count;
    };
    QObject::connect(model, &RunModel::runStarted, &m_context, count);
    QObject::connect(model, &RunModel::stepsAppended, &m_context, count);
  }
  int count() const { return m_count; }

 private:
  QObject m_context;
  int m_count = 0;
};

}  // namespace

/// After a lesson, the window shows again what it showed before.
class tst_story_lesson_end : public equipatch::test::TestCase {
  Q_OBJECT

  static constexpr const char* kPlayed = ":/lessons/1-prompt.md";

  static bool isIdle(LessonStory& story) {
    return story.window.controller().phase() == RunController::Phase::Idle;
  }

  /// Brings the window into a state that no lesson has.
  static void useTheWindow(LessonStory& story) {
    MainWindow& window = story.window;
    auto* models = window.findChild<ModelPanel*>();
    models->setDType(DType::F64);
    RunRequest run = models->runRequest();
    run.patch.method = Method::Stable;
    run.patch.application = Application::Materialised;
    run.measureNoise = true;
    run.steps = 3;
    models->showRun(run);
    window.setPrompt(QStringLiteral("Say this backwards: lamp coin key. Answer:"));
    story.run();
    auto* prompt = window.findChild<PromptEditor*>();
    prompt->setAbsorbed("2-4");  // after the run, so that editor and run differ
    window.selection().selectStep(1);
    window.selection().selectLayer(2);
    window.runs().setShown(0, false);
    auto* strength = window.findChild<StrengthPanel*>();
    strength->layers().setRange(1, 4);
    story.find<QSlider>("strength")->setValue(70);
    story.find<QDockWidget>("blockDock")->raise();
    story.find<QDockWidget>("tokensDock")->hide();
    window.lessons().stage().chart("errors")->showTable(true);
    QCoreApplication::processEvents();
  }

  static void openLesson(LessonStory& story) {
    story.window.lessons().open(QString::fromLatin1(kPlayed));
    QVERIFY2(story.player(), qPrintable(story.window.messages().text()));
  }

  /// The window must return to the state `before` without displaying a run or a step.
  static void endLesson(LessonStory& story, const QStringList& before) {
    const auto* own = story.window.model().header();
    story.window.lessons().end();
    QVERIFY(story.window.model().header() != own || !own);
    const DisplayCount displayed(story);
    QTRY_COMPARE_WITH_TIMEOUT(windowDifference(before, windowState(story)), QString(),
                              kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(isIdle(story), kPatience);
    QCOMPARE(windowDifference(before, windowState(story)), QString());
    QCOMPARE(displayed.count(), 0);
  }

 private Q_SLOTS:
  void theWindowIsRestoredFromEveryStep() {
    LessonStory story;
    useTheWindow(story);
    const QStringList before = windowState(story);
    openLesson(story);
    const int steps = int(story.player()->lesson().steps.size());
    for (int last = 0; last < steps; ++last) {
      if (last > 0) openLesson(story);
      for (int step = 0; step < last; ++step) {
        story.settle();
        story.button("lessonNext")->click();
      }
      story.settle();
      QVERIFY(windowState(story) != before);
      endLesson(story, before);
      if (QTest::currentTestFailed()) return;
    }
  }

  void theWindowIsRestoredAfterEveryLesson_data() {
    const LessonStory story;  // registers the resources
    QTest::addColumn<QString>("file");
    for (const QString& file : LessonDesk::ownLessons())
      QTest::newRow(qPrintable(QFileInfo(file).baseName())) << file;
  }

  void theWindowIsRestoredAfterEveryLesson() {
    QFETCH(QString, file);
    LessonStory story;
    useTheWindow(story);
    const QStringList before = windowState(story);
    story.window.lessons().open(file);
    while (!story.player()->isLast()) {
      story.settle();
      story.button("lessonNext")->click();
    }
    story.settle();
    endLesson(story, before);
  }

  void anotherLessonMayBeginAtOnce() {
    LessonStory story;
    useTheWindow(story);
    const QStringList before = windowState(story);
    openLesson(story);
    story.settle();
    story.window.lessons().end();
    QCOMPARE(story.window.controller().phase(), RunController::Phase::Loading);
    openLesson(story);
    QCOMPARE(story.window.model().header(), nullptr);
    story.settle();
    endLesson(story, before);
  }

  void theWindowIsRestoredAfterTheReadersTries() {
    LessonStory story;
    useTheWindow(story);
    const QStringList before = windowState(story);
    openLesson(story);
    story.settle();
    story.button("lessonTry")->click();
    MainWindow& window = story.window;
    window.setPrompt(QStringLiteral("Who has the coin? Tom has the coin. Answer:"));
    story.run();
    story.find<QDockWidget>("stepDock")->hide();
    window.lessons().stage().chart("map")->showTable(true);
    endLesson(story, before);
  }

  void anUnusedWindowIsEmptyAfterALesson() {
    LessonStory story;
    QTRY_VERIFY(!story.window.findChild<ModelPanel*>()->folder().isEmpty());
    QCoreApplication::processEvents();
    QStringList before = windowState(story);
    QVERIFY(before.contains(QStringLiteral("in the memory nothing")));
    story.window.lessons().open(QString::fromLatin1(kPlayed));
    endLesson(story, before);  // while the lesson's model is being loaded
    openLesson(story);
    story.settle();
    story.window.selection().selectLayer(1);
    endLesson(story, before);
    QCOMPARE(story.window.line().isVisible(), false);
    story.save(QStringLiteral("empty-after-lesson"));
    story.run();
    QCOMPARE(story.window.runs().count(), 1);
  }

  void theWindowIsRestoredDuringARun() {
    LessonStory story;
    useTheWindow(story);
    const QStringList before = windowState(story);
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("run.md"));
    std::ofstream(file.toStdString())
        << "# Run\n## Run\n```lesson\ndo model bundled\ndo dtype float32\ndo steps 64\n"
           "do prompt Once upon a time, there was a lamp.\ndo run\n```\n";
    const RunController& controller = story.window.controller();
    QSignalSpy changes(&controller, &RunController::phaseChanged);
    using enum RunController::Phase;
    for (const auto phase : {Loading, Running}) {
      story.window.lessons().open(file);
      // QTRY_COMPARE could miss a phase, because a run may take only milliseconds.
      while (controller.phase() != phase) QVERIFY(changes.wait(kPatience));
      endLesson(story, before);
      if (QTest::currentTestFailed()) return;
    }
  }

  /// If the folder for runs cannot be created, runs exist in memory only.
  void runsWithoutFilesAreRestored() {
    LessonStory story;
    const QString data = qEnvironmentVariable("XDG_DATA_HOME");
    QDir(data).removeRecursively();
    std::ofstream(data.toStdString()) << "in the way";
    MainWindow& window = story.window;
    for (const int steps : {2, 3}) {
      window.setSteps(steps);
      story.run();
      QCOMPARE(window.model().stepCount(), steps);
    }
    QVERIFY(window.controller().file().empty());
    QCOMPARE(window.runs().count(), 2);
    const QStringList before = windowState(story);
    openLesson(story);
    story.settle();
    endLesson(story, before);
  }

  void aSecondLessonRestoresTheOriginalState() {
    LessonStory story;
    useTheWindow(story);
    const QStringList before = windowState(story);
    openLesson(story);
    story.settle();
    QVERIFY(story.window.model().header());
    story.window.lessons().open(QStringLiteral(":/lessons/4-words.md"));
    QVERIFY(!story.window.model().header());
    QCOMPARE(story.window.runs().count(), 1);
    story.settle();
    endLesson(story, before);
  }

  void aLessonBeginsWithItsOwnState() {
    LessonStory story;
    useTheWindow(story);
    openLesson(story);
    QVERIFY(!story.window.model().header());
    QCOMPARE(story.window.selection().step(), Selection::kNone);
    QCOMPARE(story.window.selection().layer(), Selection::kNone);
    QCOMPARE(story.window.windowTitle(), QStringLiteral("Equipatch"));
    story.save(QStringLiteral("lesson-begins"));
    story.settle();
    QCOMPARE(story.window.selection().step(), 0);
    QCOMPARE(story.window.selection().layer(), Selection::kNone);
    // The lesson's next run does not keep the layer that the reader selected.
    story.window.selection().selectLayer(3);
    story.button("lessonTry")->click();
    story.button("lessonTry")->click();
    story.settle();
    QCOMPARE(story.window.selection().layer(), Selection::kNone);
  }

  void aPresentationContinuesAfterALesson() {
    LessonStory story;
    useTheWindow(story);
    const QStringList before = windowState(story);
    story.window.command("present")->trigger();
    const auto leave = qScopeGuard([&] {
      if (story.window.isFullScreen()) story.window.command("present")->trigger();
    });
    openLesson(story);
    story.settle();
    story.window.lessons().end();
    QVERIFY(story.window.command("present")->isChecked());
    QVERIFY(!story.find<QWidget>("promptDock")->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(isIdle(story), kPatience);
    story.window.command("present")->trigger();
    QTRY_COMPARE(windowDifference(before, windowState(story)), QString());
  }

  /// A killed program cannot save at its end, so the program saves the user's state when
  /// a lesson begins.
  void theUsersPromptAndRunsSurviveAKill() {
    LessonStory story;
    useTheWindow(story);
    auto* prompt = story.window.findChild<PromptEditor*>();
    prompt->setText(QStringLiteral("Who has the key? Pia has the key. Answer:"));
    for (int lesson = 0; lesson < 2; ++lesson) {
      openLesson(story);
      story.settle();
      QVERIFY(prompt->text().contains(QStringLiteral("Ida")));
      MainWindow next(story.engine);
      QCOMPARE(next.findChild<PromptEditor*>()->text(),
               QStringLiteral("Who has the key? Pia has the key. Answer:"));
      QCOMPARE(next.findChild<ModelPanel*>()->modelRequest().dtype, DType::F64);
      QCOMPARE(next.findChild<ModelPanel*>()->runRequest().steps, std::int64_t{3});
      QCOMPARE(QSettings().value(QStringLiteral("runs/last")).toStringList().size(), 1);
    }
  }

  void lessonsBeginWithDefaultRunOptions() {
    LessonStory story;
    auto* models = story.window.findChild<ModelPanel*>();
    RunRequest own = models->runRequest();
    own.sampling = {.temperature = 0.7, .topK = 40, .topP = 0.9, .seed = 5};
    own.freeRun = true;
    models->showRun(own);
    openLesson(story);
    QVERIFY(!models->runRequest().samples() && !models->runRequest().freeRun);
    story.window.lessons().end();
    QVERIFY(models->runRequest() == own);
    QTRY_VERIFY_WITH_TIMEOUT(isIdle(story), kPatience);
    // At temperature 0, top-k and top-p have no effect, but they are restored too.
    auto* temperature = models->findChild<QDoubleSpinBox*>(QStringLiteral("temperature"));
    temperature->setValue(0.0);
    openLesson(story);
    models->showRun({.sampling = {.temperature = 1.0, .topK = 3, .topP = 0.5}});
    story.window.lessons().end();
    temperature->setValue(0.7);
    QVERIFY(models->runRequest() == own);
  }

  void theNextStartShowsTheUsersPrompt() {
    LessonStory story;
    useTheWindow(story);
    const QString own = story.window.findChild<PromptEditor*>()->text();
    openLesson(story);
    story.settle();
    story.window.close();
    MainWindow next(story.engine);
    QCOMPARE(next.findChild<PromptEditor*>()->text(), own);
    QCOMPARE(next.findChild<PromptEditor*>()->absorbed(), std::string("2-4"));
    QCOMPARE(next.findChild<ModelPanel*>()->modelRequest().dtype, DType::F64);
  }
};

EQUIPATCH_TEST(tst_story_lesson_end)
#include "tst_story_lesson_end.moc"
