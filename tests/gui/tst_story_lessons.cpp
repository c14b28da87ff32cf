// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTextEdit>
#include <algorithm>
#include <fstream>

#include "core/lesson/lesson_reader.h"
#include "tests/gui/lesson_story.h"
#include "tests/support/changed_environment.h"
#include "tests/support/image_model.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/drop_files.h"
#include "ui/lab/lab_window.h"

using namespace equipatch;
using equipatch::test::kPatience;
using equipatch::test::LessonStory;

/// Plays every lesson to its end in the real window and checks its conditions.
class tst_story_lessons : public equipatch::test::TestCase {
  Q_OBJECT

  static constexpr const char* kFirst = ":/lessons/1-prompt.md";

 private Q_SLOTS:
  void aBundledLessonPlaysToItsEnd_data() {
    const LessonStory story;  // registers the resources
    QTest::addColumn<QString>("file");
    for (const QString& file : LessonDesk::ownLessons())
      QTest::newRow(qPrintable(QFileInfo(file).fileName())) << file;
  }

  void aBundledLessonPlaysToItsEnd() {
    QFETCH(QString, file);
    LessonStory story;
    story.window.lessons().open(file);
    QVERIFY2(story.player(), qPrintable(story.window.messages().text()));
    const QSize size = story.window.size();
    QCoreApplication::processEvents();
    const QList<QRect> places = story.buttonPlaces();
    const Spotlight& spotlight = *story.window.lessons().spotlight();
    for (bool last = false; !last;) {
      story.settle();
      const std::string title = story.player()->step().title;
      QTRY_VERIFY2(spotlight.isVisible() && story.isLit(), title.c_str());
      QTRY_VERIFY2(story.isDrawnAfresh(), title.c_str());
      story.playStep();
      if (QTest::currentTestFailed()) return;
      const QString name = QStringLiteral("%1-step-%2")
                               .arg(QFileInfo(file).baseName())
                               .arg(story.player()->index() + 1);
      story.save(name);
      if (auto* lab = story.window.findChild<LabWindow*>(); lab && lab->isVisible()) {
        story.save(name + QStringLiteral("-lab"), lab);
        const auto* text = story.find<QWidget>("lessonDock");
        const QRect lesson(text->mapToGlobal(QPoint()), text->size());
        QTRY_VERIFY(!lab->geometry().intersects(lesson));
      }
      QCOMPARE(story.window.size(), size);  // still fits a projector
      QCOMPARE(story.buttonPlaces(), places);
      if (std::ranges::count(story.player()->step().lit, LessonPart::Prompt) > 0) {
        QTRY_COMPARE(story.find<QTextEdit>("prompt")->verticalScrollBar()->maximum(), 0);
        const auto* text = story.find<QTextBrowser>("lessonText");
        QTRY_COMPARE(text->verticalScrollBar()->maximum(), 0);
      }
      const auto* picture = story.find<QWidget>("lessonPicture");
      QCOMPARE(story.window.charts().isVisible(), !picture || !picture->isVisible());
      last = story.player()->isLast();
      story.button("lessonNext")->click();
    }
    QTRY_VERIFY(!story.player());
  }

  /// A reader may jump to a page with a run, so this page must set all run options.
  void aPageWithARunSetsTheRunOptions_data() { aBundledLessonPlaysToItsEnd_data(); }

  void aPageWithARunSetsTheRunOptions() {
    QFETCH(QString, file);
    QFile resource(file);
    QVERIFY(resource.open(QIODevice::ReadOnly));
    const Lesson lesson = readLesson(resource.readAll().toStdString());
    for (const LessonStep& step : lesson.steps) {
      const auto does = [&](LessonVerb verb) {
        return std::ranges::find(step.actions, verb, &LessonAction::verb) !=
               step.actions.end();
      };
      if (!does(LessonVerb::Run)) continue;
      for (const LessonVerb verb :
           {LessonVerb::Model, LessonVerb::DType, LessonVerb::Method, LessonVerb::Loop,
            LessonVerb::RunSteps})
        QVERIFY2(does(verb), step.title.c_str());
      QVERIFY2(does(LessonVerb::Sample) || does(LessonVerb::Prompt), step.title.c_str());
    }
  }

  void thePictureLessonIsListedOnlyWithItsModel() {
    const QTemporaryDir resources;
    const auto folder = std::filesystem::path(resources.path().toStdString()) / "models";
    std::filesystem::create_directories(folder);
    const test::ChangedEnvironment environment("EQUIPATCH_RESOURCES",
                                               resources.path().toUtf8());
    const QString file = QStringLiteral(":/lessons/7-picture.md");
    {
      LessonStory story;
      QVERIFY(!LessonDesk::ownLessons().contains(file));
    }
    test::writeImageModel(folder / "equipatch-tiny-vision", test::Letters::All);
    QVERIFY(LessonDesk::ownLessons().contains(file));
  }

  void theSpotlightDoesNotCoverTheLitParts() {
    LessonStory story;
    story.window.lessons().open(QString::fromLatin1(kFirst));
    story.settle();
    const Spotlight& spotlight = *story.window.lessons().spotlight();
    QTRY_VERIFY(spotlight.isVisible());
    QVERIFY(spotlight.testAttribute(Qt::WA_TransparentForMouseEvents));
    for (const char* name : {"promptDock", "tokensDock", "lessonDock"}) {
      const auto* part = story.window.findChild<QWidget*>(QString::fromLatin1(name));
      const QRect rect(part->mapTo(&story.window, QPoint()), part->size());
      QTRY_VERIFY2(!spotlight.mask().intersects(rect), name);
    }
    story.window.resize(1440, 900);
    QTRY_COMPARE(spotlight.size(), story.window.size());
    const QWidget* charts = &story.window.charts();
    QVERIFY(
        spotlight.mask().contains(charts->mapTo(&story.window, charts->rect().center())));
    story.button("lessonTry")->click();
    QVERIFY(!spotlight.isVisible());
    story.button("lessonTry")->click();
    QTRY_VERIFY(spotlight.isVisible());
  }

  void whatTheReaderOpensIsNotDimmed() {
    LessonStory story;
    story.window.lessons().open(QString::fromLatin1(kFirst));
    story.settle();
    const Spotlight& spotlight = *story.window.lessons().spotlight();
    QTRY_VERIFY(spotlight.isVisible());
    const auto isDimmed = [&](const QWidget& part) {
      const QRect rect(part.mapTo(&story.window, QPoint()), part.size());
      return spotlight.mask().contains(rect.center());
    };
    const auto& step = *story.find<QWidget>("stepDock");
    QTRY_VERIFY(isDimmed(step));
    story.find<QAction>("runsDockToggle")->trigger();
    QTRY_VERIFY(!isDimmed(*story.find<QWidget>("runsDock")));
    story.find<QAction>("stepDockToggle")->trigger();
    QTRY_VERIFY(!isDimmed(step));
  }

  void theNextButtonKeepsTheKeyboardFocus() {
    LessonStory story;
    story.window.lessons().open(QString::fromLatin1(kFirst));
    auto* next = story.button("lessonNext");
    for (int step = 0; step < 3; ++step) {
      story.settle();
      QTRY_VERIFY(next->hasFocus());
      const int before = story.player()->index();
      QTest::keyClick(story.window.focusWidget(), Qt::Key_Space);
      QTRY_COMPARE(story.player()->index(), before + 1);
    }
    story.settle();
    QTRY_VERIFY(next->hasFocus());
    Selection& selection = story.window.selection();
    selection.selectStep(0);
    selection.selectLayer(2);
    QTest::keyClick(next, Qt::Key_Right);
    QCOMPARE(selection.step(), 1);
    QTest::keyClick(next, Qt::Key_Up);
    QCOMPARE(selection.layer(), 3);
    QVERIFY(next->hasFocus());
  }

  /// Such bars show messages that do not concern the lesson.
  void barsAboveTheChartsAreNotDimmed() {
    LessonStory story;
    story.window.lessons().open(QString::fromLatin1(kFirst));
    story.settle();
    const Spotlight& spotlight = *story.window.lessons().spotlight();
    QTRY_VERIFY(spotlight.isVisible());
    story.window.lessons().open(QStringLiteral("/no/such/lesson.md"));
    QVERIFY(story.player());
    const auto* message = story.find<QWidget>("messageBar");
    QVERIFY(message->isVisible());
    const auto isBright = [&] {
      const QRect rect(message->mapTo(&story.window, QPoint()), message->size());
      return !spotlight.mask().intersects(rect);
    };
    QTRY_VERIFY(isBright());
    story.button("lessonNext")->click();
    QTRY_VERIFY(isBright());
    story.window.findChild<MessageBar*>()->dismiss();
    QTRY_VERIFY(story.isLit());
  }

  void returningToAPageShowsTheSameState() {
    LessonStory story;
    story.window.lessons().open(QString::fromLatin1(kFirst));
    story.settle();
    for (int step = 0; step < 5; ++step) {
      QTest::keyClick(&story.window, Qt::Key_Right, Qt::AltModifier);
      QTRY_COMPARE(story.player()->index(), step + 1);  // a shortcut's click is delayed
      story.settle();
    }
    story.button("lessonBack")->click();
    story.settle();
    QCOMPARE(story.player()->index(), 4);
    QVERIFY(story.holdsAll(story.player()->step().expected));
  }

  void aRunOfTheReaderEndsBeforeThePagesRun() {
    LessonStory story;
    story.window.lessons().open(QString::fromLatin1(kFirst));
    story.settle();
    const RunController& controller = story.window.controller();
    const auto file = controller.file();
    story.button("lessonTry")->click();
    story.window.command("step")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(
        controller.phase() == RunController::Phase::Paused && controller.file() != file,
        kPatience);
    const auto readers = controller.file();
    story.button("lessonTry")->click();
    story.settle();
    QVERIFY(controller.phase() == RunController::Phase::Idle);
    QVERIFY(controller.file() != readers);
    QVERIFY(story.holdsAll(story.player()->step().expected));
  }

  void aRefusedOrStoppedRunIsReported() {
    LessonStory story;
    const QTemporaryDir folder;
    const auto play = [&](const char* prompt) {
      QFile file(folder.filePath(QStringLiteral("mine.md")));
      QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
      file.write(QByteArray("# M\n## S\n```lesson\ndo model bundled\n") + prompt +
                 "do run\n```\n");
      file.close();
      story.window.lessons().open(file.fileName());
    };
    story.window.setPrompt({});
    play("");
    QVERIFY(!story.player()->isActing());
    QVERIFY(story.player()->problem().contains(QStringLiteral("did not begin")));
    play("do prompt ab\n");
    QVERIFY(story.player()->isActing());
    story.window.command("stop")->trigger();  // while the model is being loaded
    QTRY_VERIFY_WITH_TIMEOUT(!story.player()->isActing(), kPatience);
    QVERIFY(story.player()->problem().contains(QStringLiteral("was stopped")));
    play("do strength 0.5\n");  // before any run
    QVERIFY(!story.player()->isActing());
    QVERIFY(story.player()->problem().contains(QStringLiteral("a selected step")));
  }

  /// The seed that the reader sets in the lab does not apply to a page's experiment.
  void theLabTrainsEachExperimentOnce() {
    LessonStory story;
    const LabController& lab = story.window.lab();
    int trained = 0;
    connect(&lab, &LabController::phaseChanged, &story.window,
            [&] { trained += lab.phase() == LabController::Phase::Running; });
    story.window.lessons().open(QStringLiteral(":/lessons/6-learning.md"));
    const auto turn = [&](const char* name) {
      story.button(name)->click();
      story.settle();
    };
    story.settle();
    turn("lessonNext");
    story.window.findChild<LabWindow*>()->form()->seedBox()->setValue(5);
    turn("lessonNext");
    QCOMPARE(trained, 2);
    QCOMPARE(lab.result()->origin.seed, std::uint64_t{0});
    QCOMPARE(lab.result()->experiment, std::string("convergence"));
    turn("lessonBack");
    QVERIFY(story.holdsAll(story.player()->step().expected));
    QCOMPARE(lab.result()->experiment, std::string("theorem"));
    turn("lessonNext");
    QCOMPARE(lab.result()->experiment, std::string("convergence"));
    QCOMPARE(trained, 2);
    story.window.lessons().end();
  }

  void theHandCalculationFollowsTheSelectedLayer() {
    LessonStory story;
    story.window.lessons().open(QStringLiteral(":/lessons/2-by-hand.md"));
    story.settle();
    const auto* table = [&] {
      story.button("lessonNext")->click();
      return story.window.findChild<QLabel*>(QStringLiteral("handTable"));
    }();
    QVERIFY(table);
    story.settle();
    QTRY_VERIFY(table->isVisible() &&
                table->text().contains(QStringLiteral("188 others")));
    const QString before = table->text();
    story.window.selection().selectLayer(5);
    QTRY_VERIFY(table->text() != before);
    story.button("lessonEnd")->click();
    QTRY_VERIFY(!story.player());
    QVERIFY(!table->isVisible());
  }

  void theFirstLessonIsOfferedOnce() {
    LessonStory story;
    auto* offer = story.window.findChild<QWidget*>(QStringLiteral("lessonOffer"));
    QVERIFY(offer && offer->isVisible());
    story.button("lessonLetMeTry")->click();
    QVERIFY(!offer->isVisible() && !story.player());
    MainWindow next(story.engine);
    next.show();
    QVERIFY(!next.findChild<QWidget*>(QStringLiteral("lessonOffer"))->isVisibleTo(&next));
  }

  void playsADroppedFileOrReportsItsErrors() {
    LessonStory story;
    const QTemporaryDir folder;
    const auto drop = [&](const QByteArray& text) {
      QFile file(folder.filePath(QStringLiteral("mine.md")));
      QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
      file.write(text);
      file.close();
      test::dropFiles(story.window, {file.fileName()});
    };
    drop("# Mine\n## One\n```lesson\ndo quit\n```\n");
    const QString said = story.window.messages().text();
    QVERIFY2(
        said.startsWith(QStringLiteral("mine.md: line 4: \"quit\" is not an action;")),
        qPrintable(said));
    QVERIFY(!story.player());
    drop(
        "# Mine & yours\n## One\nText ![](/etc/passwd) <b>and</b> more.\n```lesson\n"
        "do sample No such sample\n```\n");
    QVERIFY(story.player());
    QCOMPARE(story.find<QWidget>("lessonDock")->windowTitle(), "Mine && yours");
    QTRY_VERIFY(story.player()->problem().contains(QStringLiteral("No such sample")));
    const auto* text =
        story.window.findChild<QTextBrowser*>(QStringLiteral("lessonText"));
    QVERIFY(text->toPlainText().contains(QStringLiteral("<b>and</b>")));
    // The page does not wait for a model whose loading was stopped.
    drop(
        "# Mine\n## One\n```lesson\ndo model bundled\ndo sample A rhyme\n"
        "do absorb 0\n```\n");
    story.window.command("stop")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!story.player()->isActing(), kPatience);
    QVERIFY(story.player()->problem().contains(QStringLiteral("was stopped")));
  }
};

EQUIPATCH_TEST(tst_story_lessons)
#include "tst_story_lessons.moc"
