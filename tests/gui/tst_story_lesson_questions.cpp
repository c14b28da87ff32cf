// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMenu>
#include <QSettings>
#include <QSlider>

#include "core/record/run_catalogue.h"
#include "tests/gui/lesson_story.h"
#include "tests/support/changed_environment.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::kPatience;
using equipatch::test::LessonStory;

namespace {

/// The entries of Help ▸ Lessons, which is filled when it opens.
QList<QAction*> lessonsMenu(const MainWindow& window) {
  for (QMenu* menu : window.findChildren<QMenu*>()) {
    if (menu->title() != QStringLiteral("&Lessons")) continue;
    Q_EMIT menu->aboutToShow();
    return menu->actions();
  }
  return {};
}

}  // namespace

/// The questions of a lesson, and what the lesson says and offers after an answer.
class tst_story_lesson_questions : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// A run may select another step, but the question is about the lesson's step.
  void aReadersRunAnswersAtTheLessonsStep() {
    LessonStory story;
    story.openQuestion("ask bare is 4\nsolve absorb 5-9");
    QCOMPARE(story.window.selection().step(), 0);
    QVERIFY(!story.player()->isAnswered());
    story.window.findChild<PromptEditor*>()->setAbsorbed("5-9");
    story.window.run();
    QTRY_VERIFY_WITH_TIMEOUT(story.player()->isAnswered(), kPatience);
    QCOMPARE(story.window.selection().step(), 0);
    story.window.selection().selectStep(1);
    QTRY_VERIFY(story.find<QLabel>("lessonState")->text().contains(u"Your latest try"));
    QCOMPARE(story.window.selection().step(), 1);
  }

  void aSolutionSelectsItsOwnStep() {
    LessonStory story;
    story.openQuestion("ask step is 1\nsolve run\nsolve step 1");
    QCOMPARE(story.window.selection().step(), 0);
    story.button("lessonSolve")->click();
    story.settle();
    QTRY_VERIFY(story.player()->isAnswered());
    QCOMPARE(story.window.selection().step(), 1);
  }

  /// A run records only the results of the whole patch. If some layers are not patched,
  /// the step must be computed again, even at strength 1.
  void aLessonWaitsForAPartialPatchAtStrength1() {
    LessonStory story;
    story.openQuestion(
        "do layers 0-3\ndo step 1\ndo strength 1\nask step is 2\nsolve step 2");
    QVERIFY(story.window.lessons().stage().number("tried-linf"));
  }

  /// A condition may hold after the first steps of a run, but not at its end.
  void aRunAnswersAQuestionOnlyWhenComplete() {
    LessonStory story;
    story.openQuestion("ask bare is 4\nsolve absorb 5-9");
    story.window.findChild<PromptEditor*>()->setAbsorbed("5-9");
    story.window.command("step")->trigger();
    using Phase = RunController::Phase;
    const auto phase = [&] { return story.window.controller().phase(); };
    QTRY_VERIFY_WITH_TIMEOUT(
        phase() == Phase::Paused && story.window.model().stepCount() == 1, kPatience);
    story.window.selection().selectStep(0);
    QCoreApplication::processEvents();
    const auto holds = [&] {
      return story.holdsAll(story.player()->step().question->conditions);
    };
    QVERIFY(holds());
    QVERIFY(!story.player()->isAnswered());
    story.window.command("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(story.player()->isAnswered(), kPatience);
    QVERIFY(phase() == Phase::Idle);
  }

  void aTryAfterTheAnswerIsJudged() {
    LessonStory story;
    story.openQuestion("ask alpha < 1\nsolve strength 0.9");
    const auto* state = story.find<QLabel>("lessonState");
    auto* slider = story.find<QSlider>("strength");
    slider->setValue(90);
    QTRY_COMPARE(state->text(), QStringLiteral("✓ That is it."));
    slider->setValue(110);
    QTRY_COMPARE(
        state->text(),
        QStringLiteral("✓ You have solved this page. Your latest try does not "
                       "solve it: the strength α is 1.1, but less than 1 is wanted."));
    QVERIFY(story.player()->isAnswered());
    QVERIFY(story.button("lessonSolve")->isEnabled());
    slider->setValue(80);
    QTRY_COMPARE(state->text(), QStringLiteral("✓ That is it."));
    QVERIFY(!story.button("lessonSolve")->isEnabled());
  }

  void aRightAnswerReplacesTheErrorMessage() {
    LessonStory story;
    story.openQuestion("ask alpha < 1\nsolve sample Nothing");
    const auto* state = story.find<QLabel>("lessonState");
    story.button("lessonSolve")->click();
    QTRY_VERIFY(state->text().contains(QStringLiteral("no sample prompt")));
    story.find<QSlider>("strength")->setValue(90);
    QTRY_COMPARE(state->text(), QStringLiteral("✓ That is it."));
  }

  void aReopenedLessonOffersTheLastPageSeen() {
    LessonStory story;
    const QString lesson = QStringLiteral(":/lessons/1-prompt.md");
    story.window.lessons().open(lesson);
    story.settle();
    QVERIFY(!story.button("lessonFollow")->isVisible());
    for (int page = 1; page < 3; ++page) {
      story.button("lessonNext")->click();
      story.settle();
    }
    story.window.lessons().end();
    story.window.lessons().open(lesson);
    story.settle();
    QCOMPARE(story.player()->index(), 0);
    QCOMPARE(story.button("lessonFollow")->text(),
             QStringLiteral("Continue with page 3"));
    story.button("lessonFollow")->click();
    story.settle();
    QCOMPARE(story.player()->index(), 2);
    QVERIFY(story.holdsAll(story.player()->step().expected));
    QVERIFY(!story.button("lessonFollow")->isVisible());
  }

  void selectingAStepIsATry() {
    LessonStory story;
    story.openQuestion("do step 0\nask bare-agrees is 1\nsolve step 5");
    const auto* state = story.find<QLabel>("lessonState");
    QVERIFY(state->text().startsWith(QStringLiteral("Do it in the window")));
    story.window.selection().selectStep(1);
    QTRY_VERIFY(
        state->text().startsWith(QStringLiteral("Not yet: the token of the bare")));
  }

  void theFirstRunIsATry() {
    LessonStory story;
    story.openLesson(
        "do model bundled\ndo steps 2\ndo sample Looking up a number\n"
        "do absorb 10-14\nask steps > 5\nhint More.\nsolve steps 6\nsolve run");
    const LessonStage& stage = story.window.lessons().stage();
    for (const char* quantity : {"layer", "steps", "tried-linf", "answer"})
      QCOMPARE(stage.valueText(quantity), QString());
    QCOMPARE(story.player()->gap(), QString());
    story.run();
    QTRY_COMPARE(story.player()->gap().isEmpty(), false);
  }

  void aWrongTryShowsTheUnmetCondition() {
    LessonStory story;
    story.openQuestion("ask bare is 4\nask alpha < 1\nhint Think.\nsolve absorb 5-9");
    const auto* state = story.find<QLabel>("lessonState");
    QTRY_VERIFY(state->text().startsWith(QStringLiteral("Do it in the window")));
    // The new run gives the same wrong token as the lesson's run.
    story.window.findChild<PromptEditor*>()->setAbsorbed("10-13");
    story.window.run();
    const QString lacks = QStringLiteral(
        "Not yet: the token of the bare pass is “lamp”, but “4” is wanted.");
    QTRY_COMPARE_WITH_TIMEOUT(state->text(), lacks, kPatience);
    story.button("lessonHint")->click();
    QCOMPARE(state->text(), lacks + QStringLiteral("\nThink."));
    QTRY_VERIFY(state->height() >= state->heightForWidth(state->width()));  // not cut off
    story.window.findChild<PromptEditor*>()->setAbsorbed("5-9");
    story.window.run();
    QTRY_COMPARE_WITH_TIMEOUT(
        state->text(),
        QStringLiteral(
            "Not yet: the strength α is 1, but less than 1 is wanted.\nThink."),
        kPatience);
    story.find<QSlider>("strength")->setValue(50);
    QTRY_VERIFY_WITH_TIMEOUT(story.player()->isAnswered(), kPatience);
    QTRY_COMPARE(state->text(), QStringLiteral("✓ That is it."));
  }

  /// The page's actions select a step and a strength. The computation at this strength is
  /// not a try of the reader.
  void thePagesOwnStrengthIsNoTryOfTheReader() {
    LessonStory story;
    story.openQuestion("do strength 0.5\ndo step 1\nask tried-linf < 0\nsolve step 0");
    const LessonStage& stage = story.window.lessons().stage();
    auto* slider = story.find<QSlider>("strength");
    // If steps are slow, only a change of the slider starts the computation.
    Q_EMIT slider->valueChanged(slider->value());
    QTRY_VERIFY_WITH_TIMEOUT(stage.number("tried-linf"), kPatience);
    QCoreApplication::processEvents();
    QCOMPARE(story.player()->gap(), QString());
    slider->setValue(60);
    QTRY_VERIFY_WITH_TIMEOUT(!story.player()->gap().isEmpty(), kPatience);
  }

  void aWrongAnswerIsQuotedWithoutTheEndOfTheText() {
    LessonStory story;
    story.openQuestion("ask answer contains Ida\nsolve absorb 5-9");
    story.window.findChild<PromptEditor*>()->setAbsorbed("5-9");
    story.window.run();
    QTRY_COMPARE_WITH_TIMEOUT(
        story.find<QLabel>("lessonState")->text(),
        QStringLiteral("Not yet: the answer is “42”, but a text with “Ida” is wanted."),
        kPatience);
  }

  /// On a page with a question, the reader's changes are kept.
  void returningFromATryKeepsThePrompt() {
    LessonStory story;
    story.openQuestion("ask bare is 4\nsolve absorb 5-9\nsolve run\nsolve step 0");
    auto* prompt = story.window.findChild<PromptEditor*>();
    story.button("lessonTry")->click();
    const QString mine = prompt->text() + QStringLiteral(" I say");
    prompt->setText(mine);
    story.button("lessonTry")->click();
    story.settle();
    QTRY_VERIFY(story.window.lessons().spotlight()->isVisible());
    QCOMPARE(prompt->text(), mine);
    // The solution first restores the page's own prompt.
    story.button("lessonSolve")->click();
    QTRY_VERIFY_WITH_TIMEOUT(story.player()->isAnswered(), kPatience);
    QVERIFY(prompt->text() != mine);
  }

  /// A lesson counts as played once its last page was shown.
  void playedLessonsAreTicked() {
    LessonStory story;
    const auto ticked = [](const MainWindow& window) {
      QStringList titles;
      for (const QAction* lesson : lessonsMenu(window))
        if (lesson->isChecked()) titles << lesson->text();
      return titles;
    };
    const auto read = [&](const char* file) {
      story.window.lessons().open(QString::fromLatin1(file));
      story.settle();
    };
    read(":/lessons/1-prompt.md");
    QCOMPARE(ticked(story.window), QStringList());
    while (!story.player()->isLast()) {
      story.button("lessonNext")->click();
      story.settle();
    }
    const QString title = QString::fromStdString(story.player()->lesson().title);
    QCOMPARE(ticked(story.window), QStringList(title));
    QCOMPARE(QSettings().value(QStringLiteral("lessons/done")).toStringList(),
             QStringList(QStringLiteral("prompt")));
    read(":/lessons/2-by-hand.md");
    story.window.lessons().end();
    const MainWindow next(story.engine);
    QCOMPARE(ticked(next), QStringList(title));
  }

  void lessonsWithoutTheirModelAreNotListed() {
    const QTemporaryDir resources;
    LessonStory story;
    QVERIFY(QDir().mkpath(LessonDesk::folder()));
    for (const char* name : {"plain", "vision"}) {
      QFile file(LessonDesk::folder() + u'/' + QString::fromLatin1(name) +
                 QStringLiteral(".md"));
      QVERIFY(file.open(QIODevice::WriteOnly));
      const QByteArray asks = "```lesson\nask step is 1\nsolve model vision\n```\n";
      file.write(QByteArray("# My ") + name + "\n## S\nText.\n" +
                 (*name == 'v' ? asks : QByteArray()));
    }
    const auto listed = [&] {
      QStringList lessons;
      for (const QAction* lesson : lessonsMenu(story.window))
        if (lesson->text().startsWith(QStringLiteral("My "))) lessons << lesson->text();
      return lessons;
    };
    const QStringList both{QStringLiteral("My plain"), QStringLiteral("My vision")};
    QCOMPARE(listed(), both);
    const test::ChangedEnvironment environment("EQUIPATCH_RESOURCES",
                                               resources.path().toUtf8());
    QCOMPARE(listed(), QStringList(both.first()));
  }

  void runsOfALessonAreLabelled() {
    LessonStory story;
    QTRY_VERIFY(!story.window.findChild<ModelPanel*>()->folder().isEmpty());
    story.window.setSteps(2);
    story.openQuestion("ask bare is 4\nsolve absorb 5-9");
    const auto labels = [](const std::filesystem::path& file) {
      return readCatalogueRun(file).labels;
    };
    const auto& controller = story.window.controller();
    const std::filesystem::path file = controller.file();
    QTRY_COMPARE(labels(file).tags, std::vector<std::string>{"lesson"});
    QCOMPARE(labels(file).notes, std::string("from the lesson “Mine”"));
    story.window.lessons().end();
    QTRY_VERIFY(controller.phase() == RunController::Phase::Idle);
    story.run();
    QVERIFY(controller.file() != file);
    // A thread writes labels in the order of requests. Once this name is in the file, any
    // earlier label is there too.
    RunList& runs = story.window.runs();
    const auto name = runs.index(runs.current(), RunList::Name);
    QVERIFY(runs.setData(name, QStringLiteral("own"), Qt::EditRole));
    QTRY_COMPARE(labels(controller.file()).name, std::string("own"));
    QVERIFY(labels(controller.file()) == RunLabels{.name = "own"});
  }

  void theLastPageOffersTheNextLesson() {
    LessonStory story;
    story.window.lessons().open(QStringLiteral(":/lessons/1-prompt.md"));
    const std::string first = story.player()->lesson().title;
    QVERIFY(!story.button("lessonFollow")->isVisible());
    while (!story.player()->isLast()) {
      story.settle();
      QVERIFY(!story.button("lessonFollow")->isVisible());
      story.button("lessonNext")->click();
    }
    story.settle();
    QTRY_VERIFY(story.button("lessonFollow")->isVisible());
    story.button("lessonFollow")->click();
    QTRY_VERIFY(story.player() && story.player()->lesson().title != first);
    QCOMPARE(story.player()->index(), 0);
    story.settle();
    story.openQuestion("ask bare is 4\nsolve absorb 5-9");  // not the program's own
    QVERIFY(story.player()->isLast());
    QVERIFY(!story.button("lessonFollow")->isVisible());
  }

  void earlierRunsDoNotAnswerAQuestion() {
    LessonStory story;
    story.window.setSteps(2);
    for (int run = 0; run < 2; ++run) story.run();
    story.openQuestion("ask runs >= 2\nsolve run");
    QCOMPARE(story.window.runs().count(), 3);
    QVERIFY(!story.player()->isAnswered());
    story.run();
    QTRY_VERIFY(story.player()->isAnswered());
  }
};

EQUIPATCH_TEST(tst_story_lesson_questions)
#include "tst_story_lesson_questions.moc"
