// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QMessageBox>
#include <QSlider>

#include "core/record/context_effect.h"
#include "tests/gui/lesson_story.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/lab/lab_window.h"

using namespace equipatch;
namespace test = equipatch::test;
using equipatch::test::kPatience;
using equipatch::test::LessonStory;

namespace {

/// A page of a lesson, in a window with a synthetic engine.
struct SyntheticLesson {
  SyntheticLesson(test::SyntheticEngine& engine, const QByteArray& actions)
      : window(engine) {
    window.show();
    window.setFolder(QStringLiteral("/models/synthetic"));
    open(actions);
  }
  void open(const QByteArray& actions) {
    QFile file(folder.filePath(QStringLiteral("page.md")));
    if (!file.open(QIODevice::WriteOnly)) qFatal("no temporary file");
    file.write("# Lesson\n## Page\n```lesson\ndo prompt A lamp.\n" + actions + "\n```\n");
    file.close();
    window.lessons().open(file.fileName());
  }
  const LessonPlayer* player() { return window.lessons().player(); }

  const test::QuietPlatform quiet;
  const test::ScratchSettings settings;
  QTemporaryDir folder;
  MainWindow window;
};

}  // namespace

/// What a page of a lesson shows does not depend on what the reader did before.
class tst_story_lesson_pages : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aSolvedPageStaysSolved() {
    LessonStory story;
    story.openQuestion(
        "do strength 1\nask alpha < 1\nhint Less.\nsolve strength 0.9\n"
        "```\n## Two\n```lesson\nshow step");
    const auto* state = story.find<QLabel>("lessonState");
    story.find<QSlider>("strength")->setValue(90);
    QTRY_VERIFY(story.player()->isAnswered());
    story.button("lessonNext")->click();
    story.settle();
    QVERIFY(!story.player()->isAnswered());
    story.button("lessonBack")->click();
    story.settle();
    QCOMPARE(story.player()->index(), 0);
    QVERIFY(story.player()->isAnswered());
    const QString solved = QStringLiteral("✓ You have solved this page.");
    QTRY_COMPARE(state->text(), solved);
    story.button("lessonHint")->click();
    QCOMPARE(state->text(), solved + QStringLiteral("\nLess."));
    story.button("lessonSolve")->click();
    QTRY_COMPARE_WITH_TIMEOUT(state->text(), QStringLiteral("✓ That is it."), kPatience);
    QVERIFY(!story.button("lessonSolve")->isEnabled());
  }

  void aPageAfterASkippedQuestionShowsItsSolution() {
    LessonStory story;
    story.openQuestion(
        "do strength 1\nask alpha < 1\nsolve step 1\nsolve strength 0.9\n"
        "```\n## Two\n```lesson\nshow step");
    const auto isSolved = [&] {
      return story.window.selection().step() == 1 &&
             story.window.lessons().stage().number("alpha") == 0.9;
    };
    story.button("lessonNext")->click();
    story.settle();
    QVERIFY(isSolved());
    story.button("lessonBack")->click();
    story.settle();
    QVERIFY(!story.player()->isAnswered() && !isSolved());
    QCOMPARE(story.window.selection().step(), 0);
    story.button("lessonSolve")->click();
    story.settle();
    QTRY_VERIFY(story.player()->isAnswered());
    const auto run = story.window.model().sharedHeader();
    story.button("lessonNext")->click();
    story.settle();
    QVERIFY(isSolved());
    QVERIFY(story.window.model().sharedHeader() == run);  // no second run
  }

  /// `listed-run N` finds the lesson's N-th run. The reader's runs do not count, and a
  /// run that a page repeats counts once.
  void aPageFindsTheRunOfASkippedQuestion() {
    LessonStory story;
    story.openQuestion(
        "ask steps is 2\nsolve steps 2\nsolve run\n"
        "```\n## Two\n```lesson\ndo listed-run 1\n"
        "```\n## Three\n```lesson\ndo listed-run 2");
    story.window.findChild<PromptEditor*>()->setAbsorbed("5-9");
    story.run();
    for (const double steps : {3.0, 2.0}) {
      story.button("lessonNext")->click();
      story.settle();
      QCOMPARE(story.window.lessons().stage().number("steps"), steps);
    }
    QCOMPARE(story.window.runs().count(), 2);
  }

  void aPageFindsTheRunOfAnAnswerAfterOtherRuns() {
    LessonStory story;
    story.openQuestion(
        "ask steps is 2\nsolve steps 2\nsolve run\n"
        "```\n## Two\n```lesson\ndo listed-run 2");
    story.run();
    story.window.setSteps(2);
    story.run();
    QTRY_VERIFY(story.player()->isAnswered());
    QCOMPARE(story.window.runs().count(), 3);
    story.button("lessonNext")->click();
    story.settle();
    QCOMPARE(story.window.lessons().stage().number("steps"), 2.0);
    QCOMPARE(story.window.runs().count(), 2);
  }

  void aLaterPageFindsTheRunOfAnAnswer_data() {
    QTest::addColumn<bool>("solves");
    QTest::newRow("solved at the second try") << true;
    QTest::newRow("skipped after a try") << false;
  }

  void aLaterPageFindsTheRunOfAnAnswer() {
    QFETCH(bool, solves);
    LessonStory story;
    story.openQuestion(
        "ask steps is 2\nsolve steps 2\nsolve run\n"
        "```\n## Two\n```lesson\ndo steps 1\ndo run\n"
        "```\n## Three\n```lesson\ndo listed-run 2");
    story.run();
    if (solves) {
      story.window.setSteps(2);
      story.run();
      QTRY_VERIFY(story.player()->isAnswered());
    }
    for (int page = 0; page < 2; ++page) {
      story.button("lessonNext")->click();
      story.settle();
    }
    QCOMPARE(story.window.lessons().stage().number("steps"), 2.0);
    QCOMPARE(story.window.runs().count(), 3);
  }

  void triesOnAPageDoNotChangeTheNextPage() {
    LessonStory story;
    story.openQuestion(
        "do step 1\n```\n## Two\n```lesson\nshow step\n"
        "```\n## Three\n```lesson\nshow step");
    const auto isAsLeft = [&] {
      return story.window.selection().step() == 1 &&
             story.window.lessons().stage().number("alpha") == 1.0;
    };
    const auto run = story.window.model().sharedHeader();
    story.find<QSlider>("strength")->setValue(50);
    story.window.selection().selectStep(0);
    story.button("lessonNext")->click();
    story.settle();
    QVERIFY(isAsLeft());
    QVERIFY(story.window.model().sharedHeader() == run);  // no second run
    story.window.setSteps(2);
    story.run();
    story.button("lessonNext")->click();
    story.settle();
    QVERIFY(isAsLeft());
    QCOMPARE(story.window.model().stepCount(), 3);
    QCOMPARE(story.window.runs().count(), 1);
  }

  /// An option that no action of the lesson sets has its default.
  void aPageRunsWithoutTheReadersSampling() {
    LessonStory story;
    story.openQuestion(
        "```\n## Two\n```lesson\nshow step\n"
        "```\n## Three\n```lesson\ndo steps 2\ndo run");
    story.button("lessonNext")->click();
    story.settle();
    story.button("lessonTry")->click();
    story.find<QDoubleSpinBox>("temperature")->setValue(5.0);
    for (const char* name : {"bare", "freeRun", "ignoreEnd"})
      story.find<QCheckBox>(name)->click();
    story.run();
    QVERIFY(story.window.model().header()->request.samples());
    story.button("lessonTry")->click();
    story.settle();
    story.button("lessonNext")->click();
    story.settle();
    const RunRequest& run = story.window.model().header()->request;
    QCOMPARE(run.steps, std::int64_t{2});
    QVERIFY(!run.samples() && run.bare && !run.freeRun && !run.ignoreEndOfSequence);
  }

  void aPageWithoutARunEndsTheReadersSampling() {
    LessonStory story;
    story.openQuestion("```\n## Two\n```lesson\ndo steps 2");
    auto* temperature = story.find<QDoubleSpinBox>("temperature");
    auto* bare = story.find<QCheckBox>("bare");
    temperature->setValue(5.0);
    bare->click();
    QVERIFY(!bare->isChecked());
    story.button("lessonNext")->click();
    story.settle();
    QCOMPARE(temperature->value(), 0.0);
    QVERIFY(bare->isChecked());
  }

  void aLaterPagesStepIsNotSelectedEarlier() {
    LessonStory story;
    story.openLesson(
        "do model bundled\ndo steps 4\n"
        "do prompt Who has the lamp? Ida has the lamp. Answer:\n"
        "ask steps is 4\nsolve run\n```\n## Two\n```lesson\ndo run\ndo step 3");
    story.button("lessonNext")->click();
    story.settle();
    QCOMPARE(story.window.selection().step(), 3);
    story.button("lessonBack")->click();
    story.settle();
    story.run();
    const auto telling = mostContextualStep(story.window.model().records());
    QVERIFY(telling && *telling != 3);
    QTRY_COMPARE(story.window.selection().step(), int(*telling));
  }

  void aPageSaysThatItsExperimentWasStopped() {
    LessonStory story;
    story.openLesson("do lab theorem\n```\n## Two\n```lesson\ndo lab convergence");
    story.stopExperiments();
    story.button("lessonNext")->click();
    QTRY_VERIFY_WITH_TIMEOUT(!story.player()->isActing(), kPatience);
    QCOMPARE(story.window.lab().result()->experiment, std::string("theorem"));
    QVERIFY(story.player()->problem().contains(QStringLiteral("was stopped")));
  }

  void theLabsSettingsAreRestoredAfterALesson() {
    test::SyntheticEngine engine;
    SyntheticLesson lesson(engine, "show step");
    QTRY_VERIFY(!lesson.player()->isActing());
    lesson.window.lessons().end();
    lesson.window.command("lab")->trigger();
    auto* lab = lesson.window.findChild<LabWindow*>();
    const auto steps = [lab] {
      return qobject_cast<QSpinBox*>(lab->form()->field(QStringLiteral("steps")));
    };
    steps()->setValue(9);
    lab->form()->seedBox()->setValue(3);
    lesson.open("do lab words");
    QTRY_VERIFY(!lesson.player()->isActing());
    QCOMPARE(lab->list()->currentRow(), 1);
    lesson.window.lessons().end();
    QCOMPARE(lab->list()->currentRow(), 0);
    QCOMPARE(steps()->value(), 9);
    QCOMPARE(lab->form()->seed(), std::uint64_t{3});
    QVERIFY(lab->isVisible());
  }

  void usersRunsClosedInALessonAreRestored() {
    LessonStory story;
    story.window.setSteps(2);
    for (int run = 0; run < 2; ++run) story.run();
    RunList& runs = story.window.runs();
    runs.setOwnColour(0, QColor(Qt::red));
    runs.setColour(1, 7);
    const auto look = [&runs] {
      QStringList looks;
      for (int row = 0; row < runs.count(); ++row)
        looks << QString::fromStdString(runs.at(row).file.string()) +
                     QStringLiteral(" %1 ").arg(runs.at(row).colour) +
                     QString::fromStdString(runs.at(row).ownColour()) +
                     (runs.current() == row ? QStringLiteral(" on display") : QString());
      return looks;
    };
    const QStringList before = look();
    story.openQuestion("show step");
    QCOMPARE(runs.count(), 3);
    story.window.findChild<RunsPanel*>()->closeRuns({0, 1});
    QCOMPARE(runs.count(), 1);
    story.window.lessons().end();
    QCOMPARE(look(), before);
  }

  void theReaderIsAskedToLoadAModelThatMayNotFit_data() {
    QTest::addColumn<QString>("action");
    QTest::addColumn<QString>("button");
    QTest::addColumn<QString>("problem");  // empty: the action is done
    QTest::newRow("no run") << "run"
                            << "Cancel"
                            << "press Run (F5)";
    QTest::newRow("run") << "run"
                         << "Load anyway"
                         << "";
    QTest::newRow("no marks") << "absorb A"
                              << "Cancel"
                              << "was stopped before its end";
    QTest::newRow("marks") << "absorb 0"
                           << "Load anyway"
                           << "";
  }

  void theReaderIsAskedToLoadAModelThatMayNotFit() {
    QFETCH(QString, action);
    QFETCH(QString, button);
    QFETCH(QString, problem);
    test::SyntheticEngine engine;
    engine.shortage = std::make_shared<const MemoryShortage>(
        MemoryShortage{.model = "big", .sentence = "big needs much"});
    SyntheticLesson lesson(engine, "do " + action.toUtf8());
    const MainWindow& window = lesson.window;
    QMessageBox* box = nullptr;
    QTRY_VERIFY((box = window.findChild<QMessageBox*>(QStringLiteral("shortageDialog"))));
    const LessonPlayer* player = lesson.player();
    QVERIFY(player->isActing() && player->problem().isEmpty());
    for (auto* each : box->buttons())
      if (each->text().remove(u'&') == button) each->click();
    QTRY_VERIFY(!player->isActing());
    QVERIFY2(player->problem().contains(problem) &&
                 player->problem().isEmpty() == problem.isEmpty(),
             qPrintable(player->problem()));
    QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
    QCOMPARE(window.controller().loaded() != nullptr, problem.isEmpty());
  }

  void absorbedTokensBeyondThePromptAreReported() {
    test::SyntheticEngine engine;
    SyntheticLesson lesson(engine, "do absorb 900-901\ndo run");
    const LessonPlayer* player = lesson.player();
    QTRY_VERIFY(!player->problem().isEmpty());
    QVERIFY2(player->problem().contains(QStringLiteral("901")),
             qPrintable(player->problem()));
    QVERIFY(!player->isActing());
    QVERIFY(lesson.window.model().empty());
  }

  /// The reader leaves the second page before the lesson learns that the page's action
  /// failed.
  void aPageThatWasLeftReportsNothing() {
    test::SyntheticEngine engine;
    SyntheticLesson lesson(engine,
                           "do run\n```\n## Two\n```lesson\ndo absorb 900-901\ndo run");
    const LessonPlayer* player = lesson.player();
    QTRY_VERIFY(!player->isActing());
    for (const char* name : {"lessonNext", "lessonBack"})
      lesson.window.findChild<QPushButton*>(QString::fromLatin1(name))->click();
    QCOMPARE(player->index(), 0);
    QVERIFY(player->isActing());
    QTRY_VERIFY(!player->isActing());
    QCOMPARE(player->problem(), QString());
  }

  void aStrengthThatCannotBeTriedIsReported() {
    test::SyntheticEngine engine;
    engine.replays->failure = "The step cannot be taken again.";
    SyntheticLesson lesson(engine, "do run\ndo step 0\ndo strength 0.5");
    const LessonPlayer* player = lesson.player();
    QTRY_COMPARE(player->problem(), QStringLiteral("The step cannot be taken again."));
    QVERIFY(!player->isActing());
  }
};

EQUIPATCH_TEST(tst_story_lesson_pages)
#include "tst_story_lesson_pages.moc"
