// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>

#include "core/lesson/lesson_reader.h"
#include "tests/gui/record_story.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::played;
using equipatch::test::RecordStory;

/// The dialog in which the user edits a recorded lesson.
class tst_story_record_dialog : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void wordsAndExpectationsAreEdited() {
    RecordStory story;
    story.recordFirstRun();
    story.window.selection().selectStep(2);
    QTRY_COMPARE(story.stepCount(), std::size_t{2});
    story.save(QStringLiteral("record-bar"));
    story.window.command("recordLesson")->trigger();
    RecordDialog* dialog = story.record().dialog();
    QVERIFY(dialog && dialog->isVisible());
    QVERIFY(!story.record().isRecording());
    story.save(QStringLiteral("record-dialog"), dialog);
    auto* expected = dialog->findChild<QListWidget*>(QStringLiteral("recordExpected"));
    int ticked = 0;
    for (int i = 0; i < expected->count(); ++i) {
      ticked += expected->item(i)->checkState() == Qt::Checked;
      expected->item(i)->setCheckState(Qt::Unchecked);
    }
    QVERIFY(ticked > 0 && ticked < expected->count());
    expected->item(0)->setCheckState(Qt::Checked);
    auto* steps = dialog->findChild<QListWidget*>(QStringLiteral("recordSteps"));
    auto* title = dialog->findChild<QLineEdit*>(QStringLiteral("recordStepTitle"));
    title->selectAll();
    QTest::keyClicks(title, QStringLiteral("First"));
    QVERIFY(steps->item(0)->text().endsWith(QStringLiteral("First")));
    steps->setCurrentRow(1);
    dialog->findChild<QPushButton*>(QStringLiteral("recordRemove"))->click();
    QCOMPARE(steps->count(), 1);
    auto* save = dialog->findChild<QPushButton*>(QStringLiteral("recordSave"));
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("recordTitle"));
    name->clear();
    QTest::keyClick(name, Qt::Key_X);
    QTest::keyClick(name, Qt::Key_Backspace);
    save->click();
    auto* problem = dialog->findChild<QMessageBox*>();
    QVERIFY(problem && problem->isVisible());
    QVERIFY(problem->text().contains(QStringLiteral("no title")));
    problem->accept();
    QTest::keyClicks(name, QStringLiteral("My lesson"));
    save->click();
    QVERIFY(!story.record().dialog());
    const Lesson lesson = readLessonFile(
        (LessonDesk::folder() + QStringLiteral("/my-lesson.md")).toStdString());
    QCOMPARE(lesson.steps.size(), std::size_t{1});
    QCOMPARE(lesson.steps[0].title, std::string("First"));
    QCOMPARE(lesson.steps[0].expected.size(), std::size_t{1});
    QCOMPARE(QDir(LessonDesk::folder()).entryList({QStringLiteral("*.md")}).size(), 1);
    story.button("recordPlay")->click();
    QVERIFY(story.player());
    QVERIFY(!story.window.command("recordLesson")->isEnabled());
    story.settle();
    QVERIFY(story.holdsAll(story.player()->step().expected));
  }

  void onlyEditedFieldsChange() {
    const test::QuietPlatform quiet;
    Recording recording;
    recording.lesson.summary = "All 10\u00A0%.\n";
    recording.addStep({.title = "One", .text = "10\u00A0% of it."});
    LessonStep asked{.title = "Two", .text = "Do it."};
    asked.question.emplace().conditions.push_back({.quantity = "step", .number = 2.0});
    recording.addStep(asked);
    RecordDialog dialog(recording, EditedLesson::Saved, QStringLiteral("/lessons/a.md"));
    auto* steps = dialog.findChild<QListWidget*>(QStringLiteral("recordSteps"));
    QTest::keyClicks(dialog.findChild<QLineEdit*>(QStringLiteral("recordTitle")),
                     QStringLiteral("x"));
    QCOMPARE(dialog.recording().lesson.title, std::string("x"));
    QCOMPARE(dialog.recording().lesson.summary, std::string("All 10\u00A0%.\n"));
    QTest::keyClicks(dialog.findChild<QLineEdit*>(QStringLiteral("recordStepTitle")),
                     QStringLiteral("x"));
    QCOMPARE(dialog.recording().lesson.steps[0].title, std::string("Onex"));
    QCOMPARE(dialog.recording().lesson.steps[0].text, std::string("10\u00A0% of it."));
    QCOMPARE(steps->item(0)->text(), QStringLiteral("1  Onex"));
    auto* text = dialog.findChild<QPlainTextEdit*>(QStringLiteral("recordText"));
    text->setPlainText(QStringLiteral(" \n"));
    QCOMPARE(steps->item(0)->text(), QStringLiteral("1  Onex (no text yet)"));
    text->setPlainText(QStringLiteral("It is."));
    QCOMPARE(steps->item(0)->text(), QStringLiteral("1  Onex"));
    // The question is now the first step, so no earlier step sets up the window for it.
    steps->setCurrentRow(0);
    dialog.findChild<QPushButton*>(QStringLiteral("recordRemove"))->click();
    const auto* note = dialog.findChild<QLabel*>(QStringLiteral("recordNote"));
    QVERIFY(!note->isHidden());
    QVERIFY(note->text().startsWith(u"No page before this question"));
  }

  void aRecordedStepBecomesAQuestion() {
    RecordStory story;
    story.recordFirstRun();
    story.window.selection().selectStep(2);
    QTRY_COMPARE(story.stepCount(), std::size_t{2});
    story.record().stop();
    RecordDialog* dialog = story.record().dialog();
    QVERIFY(dialog);
    auto* asks = dialog->findChild<QCheckBox*>(QStringLiteral("recordAsk"));
    auto* steps = dialog->findChild<QListWidget*>(QStringLiteral("recordSteps"));
    auto* expected = dialog->findChild<QListWidget*>(QStringLiteral("recordExpected"));
    auto* note = dialog->findChild<QLabel*>(QStringLiteral("recordNote"));
    auto* save = dialog->findChild<QPushButton*>(QStringLiteral("recordSave"));
    QVERIFY(!asks->isEnabled());  // nothing comes before the first step
    steps->setCurrentRow(1);
    QVERIFY(asks->isEnabled() && !asks->isChecked());
    asks->click();
    const auto tick = [&](const QString& words) {
      bool found = false;
      for (int i = 0; i < expected->count(); ++i) {
        const bool is = expected->item(i)->text() == words;
        found = found || is;
        expected->item(i)->setCheckState(is ? Qt::Checked : Qt::Unchecked);
      }
      return found;
    };
    QVERIFY(!tick({}));
    QVERIFY(note->isVisible() && !save->isEnabled());
    // A question without a condition is no error in a draft, which keeps the typed text
    // as the page's text.
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("recordHint")),
                     QStringLiteral("Early hint."));
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("recordStepTitle")),
                     QStringLiteral("Try"));
    QVERIFY2(story.window.messages().text().isEmpty(),
             qPrintable(story.window.messages().text()));
    const QDir drafts(LessonDesk::folder());
    const Lesson draft = readLessonFile(
        drafts.filePath(drafts.entryList({QStringLiteral("draft-*.md")}).value(0))
            .toStdString());
    QVERIFY(draft.steps.at(1).title.ends_with("Try"));
    QVERIFY2(draft.steps[1].text.find("Early hint") != std::string::npos,
             draft.steps[1].text.c_str());
    QVERIFY(!draft.steps[1].question);
    auto* hint = dialog->findChild<QLineEdit*>(QStringLiteral("recordHint"));
    hint->selectAll();
    QTest::keyClick(hint, Qt::Key_Delete);
    QVERIFY(tick(QStringLiteral("the number of tokens with a ✗ is 0")));
    QVERIFY(note->text().contains(QStringLiteral("answered at once")));
    QVERIFY(tick(QStringLiteral("the selected step is 2")));
    QVERIFY(!note->isVisible() && save->isEnabled());
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("recordHint")),
                     QStringLiteral("Press an arrow key."));
    story.save(QStringLiteral("record-question"), dialog);
    save->click();
    const QString file = LessonDesk::folder() + QStringLiteral("/my-lesson.md");
    const Lesson lesson = readLessonFile(file.toStdString());
    const auto& question = lesson.steps.at(1).question;
    QVERIFY(question && lesson.steps[1].actions.empty());
    QCOMPARE(question->hint, std::string("Press an arrow key."));
    QCOMPARE(question->solution, (std::vector{LessonAction{LessonVerb::Step, "2"}}));
    QCOMPARE(conditionText(question->conditions.at(0)), std::string("step is 2"));
    // The question can become a step with actions again.
    QVERIFY(story.find<QWidget>("recordBar")->isVisible());
    story.record().edit(file);
    QVERIFY(!story.find<QWidget>("recordBar")->isVisible());
    dialog = story.record().dialog();
    dialog->findChild<QListWidget*>(QStringLiteral("recordSteps"))->setCurrentRow(1);
    dialog->findChild<QCheckBox*>(QStringLiteral("recordAsk"))->click();
    QVERIFY(dialog->recording().lesson.steps[1].actions == question->solution);
    dialog->close();
    QTRY_VERIFY(!story.record().dialog());
    story.record().start();
    story.record().edit(file);
    QVERIFY(!story.record().dialog());
    QVERIFY(story.window.messages().text().startsWith(u"A lesson is being recorded"));
    story.record().discard();
    QVERIFY(QFileInfo(file).isFile());
    RecordStory again;
    played(again, file);  // unanswered before the solution, answered after it
    QVERIFY(again.player()->isAnswered());
  }

  /// Showing another panel changes no condition, so the run's conditions stay ticked.
  void showingAnotherPanelKeepsTheExpectations() {
    RecordStory story;
    story.recordFirstRun();
    const auto& lesson = story.record().recorder().recording().lesson;
    for (const char* name : {"runs", "block"}) {
      story.find<QWidget>((std::string(name) + "Dock").c_str())->raise();
      QTRY_VERIFY(lesson.steps.back().actions ==
                  (std::vector{LessonAction{LessonVerb::Tab, name}}));
      QCOMPARE(lesson.steps.size(), std::size_t{2});
      QTRY_VERIFY2(!lesson.steps.back().expected.empty(), name);
      QCOMPARE(lesson.steps.back().expected.front().quantity, std::string("mismatches"));
    }
    story.record().discard();
  }

  void conditionsRemainWhenTheRunIsClosed() {
    RecordStory story;
    story.recordFirstRun();
    const auto possible = story.record().recorder().recording().possible;
    QVERIFY(!possible.back().empty());
    story.window.findChild<RunsPanel*>()->closeRuns({0});
    QTRY_VERIFY(story.window.model().empty());
    QTest::qWait(50);  // lets the recorder read the state again
    QVERIFY(story.record().recorder().recording().possible == possible);
    story.record().discard();
  }
};

EQUIPATCH_TEST(tst_story_record_dialog)
#include "tst_story_record_dialog.moc"
