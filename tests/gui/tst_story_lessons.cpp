// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QScopeGuard>
#include <QScrollBar>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTextEdit>
#include <algorithm>

#include "tests/gui/lesson_story.h"
#include "tests/support/image_model.h"
#include "tests/support/test_case.h"
#include "ui/lab/lab_window.h"

using namespace equipatch;
using equipatch::test::kPatience;
using equipatch::test::LessonStory;

/// Plays every lesson to its end in the real window and checks its conditions.
class tst_story_lessons : public equipatch::test::TestCase {
  Q_OBJECT

  static constexpr const char* kFirst = ":/lessons/1-prompt.md";

 private:
  /// Opens a lesson of one step, which runs a sample and asks.
  /// @param question the lines after the run
  static void openQuestion(LessonStory& story, const char* question) {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("mine.md")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        QByteArray(
            "# Mine\n## Ask\n```lesson\ndo model bundled\ndo steps 4\n"
            "do sample Looking up a number\ndo absorb 10-14\ndo run\ndo step 0\n") +
        question + "\n```\n");
    file.close();
    story.window.lessons().open(file.fileName());
    story.settle();
  }

 private Q_SLOTS:
  void playsToTheEnd_data() {
    const LessonStory story;  // makes the resources known
    QTest::addColumn<QString>("file");
    for (const QString& file : LessonDesk::ownLessons())
      QTest::newRow(qPrintable(QFileInfo(file).fileName())) << file;
  }

  void playsToTheEnd() {
    QFETCH(QString, file);
    LessonStory story;
    story.window.lessons().open(file);
    QVERIFY2(story.player(), qPrintable(story.window.messages().text()));
    const QSize size = story.window.size();
    QCoreApplication::processEvents();
    const QList<QRect> places = story.buttonPlaces();
    for (bool last = false; !last;) {
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
      QCOMPARE(story.window.size(), size);  // so it fits a projector
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

  void theLessonOnPicturesIsListedWhereTheModelIs() {
    const QTemporaryDir resources;
    const auto folder = std::filesystem::path(resources.path().toStdString()) / "models";
    std::filesystem::create_directories(folder);
    qputenv("EQUIPATCH_RESOURCES", resources.path().toUtf8());
    const auto forget = qScopeGuard([] { qunsetenv("EQUIPATCH_RESOURCES"); });
    const QString file = QStringLiteral(":/lessons/7-picture.md");
    {
      LessonStory story;
      QVERIFY(!LessonDesk::ownLessons().contains(file));
    }
    test::writeImageModel(folder / "equipatch-tiny-vision", test::Letters::All);
    QVERIFY(LessonDesk::ownLessons().contains(file));
  }

  /// A stranger's lesson may use only image files in its own folder, which are checked
  /// like any other.
  void aStrangersPictureLiesBesideTheLesson() {
    const QTemporaryDir folder;
    const auto play = [&](LessonStory& story, const char* picture) {
      QFile file(folder.filePath(QStringLiteral("mine.md")));
      QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
      file.write(QByteArray("# M\n## S\n```lesson\ndo prompt ab\ndo picture ") + picture +
                 "\n```\n");
      file.close();
      story.window.lessons().open(file.fileName());
      QVERIFY(story.player());
      QTRY_VERIFY_WITH_TIMEOUT(!story.player()->isActing(), kPatience);
    };
    const QString image =
        QString::fromStdString(test::data("images/gemma3_mm/image0.png").string());
    QVERIFY(QFile::copy(image, folder.filePath(QStringLiteral("good.png"))));
    QVERIFY(QFile::link(image, folder.filePath(QStringLiteral("link.png"))));
    QFile bad(folder.filePath(QStringLiteral("bad.png")));
    QVERIFY(bad.open(QIODevice::WriteOnly));
    bad.write("no image");
    bad.close();
    LessonStory story;
    play(story, "good.png");
    QVERIFY2(story.player()->problem().isEmpty(), qPrintable(story.player()->problem()));
    const PromptParts parts = story.window.findChild<PromptEditor*>()->parts();
    QCOMPARE(parts.pictures.size(), std::size_t{1});
    QCOMPARE(parts.written(QStringLiteral("|")), QStringLiteral("|ab"));
    for (const char* name : {"missing.png", "link.png", "shapes.png"}) {
      play(story, name);
      QVERIFY(story.player()->problem().contains(
          QStringLiteral("There is no image %1").arg(QString::fromLatin1(name))));
    }
    play(story, "bad.png");
    QVERIFY2(story.player()->problem().contains(QStringLiteral("bad.png")),
             qPrintable(story.player()->problem()));
  }

  void theSpotlightLeavesTheLitPartsFree() {
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
    story.button("lessonTry")->click();  // the reader may use the window
    QVERIFY(!spotlight.isVisible());
    story.button("lessonTry")->click();
    QTRY_VERIFY(spotlight.isVisible());
  }

  void theScreenShowsWhatTheSpotlightLights_data() {
    const LessonStory story;  // makes the resources known
    QTest::addColumn<QString>("file");
    for (const QString& file : LessonDesk::ownLessons())
      QTest::newRow(qPrintable(QFileInfo(file).fileName())) << file;
  }

  /// What was drawn step by step is what a window drawn at once shows, and the holes of
  /// the dimming are where the lit parts are.
  void theScreenShowsWhatTheSpotlightLights() {
    QFETCH(QString, file);
    LessonStory story;
    story.window.lessons().open(file);
    const Spotlight& spotlight = *story.window.lessons().spotlight();
    for (;;) {
      story.settle();
      const std::string& title = story.player()->step().title;
      QTRY_VERIFY2(spotlight.isVisible() && story.isLit(), title.c_str());
      QTRY_VERIFY2(story.isDrawnAfresh(), title.c_str());
      if (story.player()->isLast()) break;
      story.button("lessonNext")->click();
    }
  }

  /// Space turns page after page, and the arrow keys move steps and layers meanwhile.
  void theKeyboardStaysAtNext() {
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

  /// A run selects its last step, but the question is about the one the lesson selected.
  void aRunOfTheReaderAnswersWithoutAClick() {
    LessonStory story;
    openQuestion(story, "ask bare is 4\nsolve absorb 5-9");
    QCOMPARE(story.window.selection().step(), 0);
    QVERIFY(!story.player()->isAnswered());
    story.window.findChild<PromptEditor*>()->setAbsorbed("5-9");
    story.window.run();
    QTRY_VERIFY_WITH_TIMEOUT(story.player()->isAnswered(), kPatience);
    QCOMPARE(story.window.selection().step(), 0);
    // The reader may select other steps afterwards.
    story.window.selection().selectStep(1);
    QTRY_COMPARE(story.window.selection().step(), 1);
  }

  /// A try that does not answer is told what it lacks; nothing is said before a try.
  void aWrongTryIsToldWhatItLacks() {
    LessonStory story;
    openQuestion(story, "ask bare is 4\nask alpha < 1\nhint Think.\nsolve absorb 5-9");
    const auto* state = story.find<QLabel>("lessonState");
    QTRY_VERIFY(state->text().startsWith(QStringLiteral("Do it in the window")));
    // A run that differs, and gives the same wrong token.
    story.window.findChild<PromptEditor*>()->setAbsorbed("10-13");
    story.window.run();
    const QString lacks = QStringLiteral(
        "Not yet: the token of the bare pass is “lamp”, but “4” is wanted.");
    QTRY_COMPARE_WITH_TIMEOUT(state->text(), lacks, kPatience);
    story.button("lessonHint")->click();
    QCOMPARE(state->text(), lacks + QStringLiteral("\nThink."));
    QTRY_VERIFY(state->height() >= state->heightForWidth(state->width()));  // all is seen
    // The next condition, when the first one holds.
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

  void aWrongAnswerIsQuotedWithoutTheEndOfTheText() {
    LessonStory story;
    openQuestion(story, "ask answer contains Ida\nsolve absorb 5-9");
    story.window.findChild<PromptEditor*>()->setAbsorbed("5-9");
    story.window.run();
    QTRY_COMPARE_WITH_TIMEOUT(
        story.find<QLabel>("lessonState")->text(),
        QStringLiteral("Not yet: the answer is “42”, but a text with “Ida” is wanted."),
        kPatience);
  }

  /// What the window says about something else is not dimmed.
  void barsAboveTheChartsStayBright() {
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

  /// Where a question is asked, what the reader tried is not thrown away.
  void returnFromATryKeepsIt() {
    LessonStory story;
    openQuestion(story, "ask bare is 4\nsolve absorb 5-9\nsolve run\nsolve step 0");
    auto* prompt = story.window.findChild<PromptEditor*>();
    story.button("lessonTry")->click();
    const QString mine = prompt->text() + QStringLiteral(" I say");
    prompt->setText(mine);
    story.button("lessonTry")->click();
    story.settle();
    QTRY_VERIFY(story.window.lessons().spotlight()->isVisible());
    QCOMPARE(prompt->text(), mine);
    // The solution needs the step's own prompt.
    story.button("lessonSolve")->click();
    QTRY_VERIFY_WITH_TIMEOUT(story.player()->isAnswered(), kPatience);
    QVERIFY(prompt->text() != mine);
  }

  void theLastPageOffersTheNextLesson() {
    LessonStory story;
    story.window.lessons().open(QString::fromLatin1(kFirst));
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
    openQuestion(story, "ask bare is 4\nsolve absorb 5-9");  // not one of the program's
    QVERIFY(story.player()->isLast());
    QVERIFY(!story.button("lessonFollow")->isVisible());
  }

  void goesBackAndShowsTheSameAgain() {
    LessonStory story;
    story.window.lessons().open(QString::fromLatin1(kFirst));
    story.settle();
    for (int step = 0; step < 5; ++step) {
      QTest::keyClick(&story.window, Qt::Key_Right, Qt::AltModifier);
      QTRY_COMPARE(story.player()->index(), step + 1);  // the button is shown pressed
      story.settle();
    }
    story.button("lessonBack")->click();
    story.settle();
    QCOMPARE(story.player()->index(), 4);
    QVERIFY(story.holdsAll(story.player()->step().expected));
  }

  void theTableByHandFollowsTheSelectedLayer() {
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

  void isOfferedOnce() {
    LessonStory story;
    auto* offer = story.window.findChild<QWidget*>(QStringLiteral("lessonOffer"));
    QVERIFY(offer && offer->isVisible());
    story.button("lessonLetMeTry")->click();
    QVERIFY(!offer->isVisible() && !story.player());
    MainWindow next(story.engine);
    next.show();
    QVERIFY(!next.findChild<QWidget*>(QStringLiteral("lessonOffer"))->isVisibleTo(&next));
  }

  void playsADroppedFileAndNamesWhatIsWrong() {
    LessonStory story;
    const QTemporaryDir folder;
    const auto drop = [&](const QByteArray& text) {
      QFile file(folder.filePath(QStringLiteral("mine.md")));
      QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
      file.write(text);
      file.close();
      QMimeData data;
      data.setUrls({QUrl::fromLocalFile(file.fileName())});
      QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton,
                            Qt::NoModifier);
      QApplication::sendEvent(&story.window, &enter);
      QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton,
                       Qt::NoModifier);
      QApplication::sendEvent(&story.window, &event);
    };
    drop("# Mine\n## One\n```lesson\ndo quit\n```\n");
    const QString said = story.window.messages().text();
    QVERIFY2(
        said.startsWith(QStringLiteral("mine.md: line 4: \"quit\" is not an action;")),
        qPrintable(said));
    QVERIFY(!story.player());
    drop(
        "# Mine\n## One\nText ![](/etc/passwd) <b>and</b> more.\n```lesson\n"
        "do sample No such sample\n```\n");
    QVERIFY(story.player());
    QTRY_VERIFY(story.player()->problem().contains(QStringLiteral("No such sample")));
    const auto* text =
        story.window.findChild<QTextBrowser*>(QStringLiteral("lessonText"));
    QVERIFY(text->toPlainText().contains(QStringLiteral("<b>and</b>")));
  }
};

EQUIPATCH_TEST(tst_story_lessons)
#include "tst_story_lessons.moc"
