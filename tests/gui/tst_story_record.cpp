// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QSlider>
#include <QSpinBox>
#include <map>

#include "core/lesson/lesson_reader.h"
#include "core/lesson/lesson_words.h"
#include "core/lesson/lesson_writer.h"
#include "tests/gui/lesson_story.h"
#include "tests/support/image_model.h"
#include "tests/support/test_case.h"
#include "ui/chart/logit_chart.h"
#include "ui/lab/lab_window.h"

using namespace equipatch;
using equipatch::test::kPatience;
using equipatch::test::LessonStory;

namespace {

using Phase = RunController::Phase;

/// The window, used to record a lesson.
struct RecordStory : LessonStory {
  RecordDesk& record() { return window.lessons().record(); }
  std::size_t stepCount() { return record().recorder().recording().lesson.steps.size(); }
  void choose(const char* box, const char* text) {
    auto* combo = find<QComboBox>(box);
    const int index = combo->findText(QString::fromLatin1(text));
    QVERIFY2(index >= 0, text);
    combo->setCurrentIndex(index);
  }
  void useModel(const char* dtype, int steps) {
    window.setFolder(QString::fromStdString(
        test::data("../../resources/models/equipatch-tiny").string()));
    choose("dtype", dtype);
    window.setSteps(steps);
  }
  void run() {
    const auto before = window.model().sharedHeader();
    window.command("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window.model().sharedHeader() != before &&
                                 !window.model().empty() &&
                                 window.controller().phase() == Phase::Idle,
                             kPatience);
    QVERIFY2(window.messages().text().isEmpty(), qPrintable(window.messages().text()));
  }
  /// Every quantity that lessons know.
  std::map<std::string, std::string> state() {
    std::map<std::string, std::string> all;
    const LessonStage& stage = window.lessons().stage();
    for (const LessonQuantity& quantity : kLessonQuantities) {
      const std::string name(quantity.name);
      if (name == "runs") continue;  // belongs to the window, not to the recording
      const auto number = quantity.isText ? std::nullopt : stage.number(name);
      const auto text = quantity.isText ? stage.text(name) : std::nullopt;
      if (number) all[name] = std::to_string(*number);
      if (text) all[name] = *text;
    }
    for (const char* chart : {"logits", "sizes", "map", "errors"})
      all[chart] = stage.chart(chart)->isTable() ? "table" : "chart";
    return all;
  }
  QString saveLesson(const char* title) {
    record().stop();
    auto* dialog = record().dialog();
    if (!dialog) return {};
    auto* field = dialog->findChild<QLineEdit*>(QStringLiteral("recordTitle"));
    field->selectAll();
    QTest::keyClicks(field, QString::fromLatin1(title));
    dialog->findChild<QPushButton*>(QStringLiteral("recordSave"))->click();
    const QStringList files =
        QDir(LessonDesk::folder()).entryList({QStringLiteral("*.md")}, QDir::Files);
    return files.size() == 1 ? LessonDesk::folder() + u'/' + files.front() : QString();
  }
};

}  // namespace

/// A lesson is recorded on the real window, saved, read and played.
class tst_story_record : public equipatch::test::TestCase {
  Q_OBJECT

  /// Plays a lesson to its last step and checks its conditions.
  /// @returns the window's state
  static std::map<std::string, std::string> played(RecordStory& story,
                                                   const QString& file) {
    story.window.lessons().open(file);
    if (!story.player()) return {};
    while (true) {
      story.playStep();
      if (QTest::currentTestFailed() || story.player()->isLast()) break;
      story.button("lessonNext")->click();
    }
    return story.state();
  }

 private Q_SLOTS:
  void whatIsRecordedPlaysToTheSameState() {
    RecordStory story;
    story.window.setPrompt(
        QStringLiteral("Say this backwards:  lamp coin key.\nAnswer: "));
    story.useModel("bfloat16", 6);
    story.choose("method", "stable");
    story.choose("loop", "open");
    story.record().start();
    QVERIFY(story.window.command("recordLesson")->isChecked());
    QVERIFY(story.find<QWidget>("recordBar")->isVisible());
    story.run();
    QTRY_COMPARE(story.stepCount(), std::size_t{1});
    story.window.findChild<PromptEditor*>()->setAbsorbed("2-5");
    story.choose("application", "materialised");
    story.window.setSteps(4);
    story.run();
    QTRY_COMPARE(story.stepCount(), std::size_t{2});
    // Several selections in a row become one step of the lesson.
    for (const int step : {1, 2, 3}) {
      story.window.selection().selectStep(step);
      QCoreApplication::processEvents();
    }
    story.window.selection().selectLayer(4);
    QTRY_COMPARE(story.stepCount(), std::size_t{3});
    story.button("recordStep")->click();
    story.window.selection().selectStep(1);
    story.window.charts().chart<LogitChart>()->showTable(true);
    auto* slider = story.find<QSlider>("strength");
    for (const int percent : {80, 60, 40}) slider->setValue(percent);
    QTRY_COMPARE(story.stepCount(), std::size_t{6});
    QTRY_VERIFY_WITH_TIMEOUT(story.state().contains("tried-linf"), kPatience);
    const auto before = story.state();
    const QString file = story.saveLesson("Mine & yours");
    QVERIFY(!file.isEmpty());
    QCOMPARE(QFileInfo(file).fileName(), QStringLiteral("mine-yours.md"));
    QVERIFY(story.find<QLabel>("recordState")->text().contains(u"Mine & yours"));

    const Lesson lesson = readLessonFile(file.toStdString());
    QCOMPARE(lesson.title, std::string("Mine & yours"));
    QVERIFY(readLesson(writeLesson(lesson)) == lesson);
    QVERIFY(!lesson.steps[0].expected.empty());
    QCOMPARE(before.at("step"), std::string("1.000000"));

    RecordStory again;  // with all settings as at a first start
    const auto after = played(again, file);
    QVERIFY(!after.empty());
    for (const auto& [name, value] : before)
      QVERIFY2(after.contains(name) && after.at(name) == value,
               qPrintable(QStringLiteral("%1: %2 was %3")
                              .arg(QString::fromStdString(name),
                                   QString::fromStdString(
                                       after.contains(name) ? after.at(name) : ""),
                                   QString::fromStdString(value))));
  }

  void theRunOnDisplayIsRecordedWhereItIsNeeded() {
    RecordStory story;
    story.window.setPrompt(QStringLiteral("Write a rhyme about Lina and the goose."));
    story.useModel("float32", 5);
    story.run();
    story.record().start();
    QCOMPARE(story.stepCount(), std::size_t{0});
    QVERIFY(!story.button("recordStop")->isEnabled());
    story.window.selection().selectStep(3);
    QTRY_COMPARE(story.stepCount(), std::size_t{2});
    story.window.setSteps(3);  // a setting without a run
    const auto state = story.state();
    const QString file = story.saveLesson("Mine");
    const Lesson lesson = readLessonFile(file.toStdString());
    QCOMPARE(lesson.steps.size(), std::size_t{3});
    QVERIFY(lesson.steps[0].actions.back().verb == LessonVerb::Run ||
            lesson.steps[0].actions.back().verb == LessonVerb::Step);
    QVERIFY(std::ranges::find(lesson.steps[0].actions,
                              LessonAction{LessonVerb::Sample, "A rhyme"}) !=
            lesson.steps[0].actions.end());
    QVERIFY(std::ranges::find(lesson.steps[2].actions,
                              LessonAction{LessonVerb::Steps, "3"}) !=
            lesson.steps[2].actions.end());
    RecordStory again;
    auto after = played(again, file);
    QCOMPARE(after["answer"], state.at("answer"));
    QCOMPARE(after["step"], state.at("step"));
    QCOMPARE(again.find<QSpinBox>("steps")->value(), 3);
  }

  void aStoppedRunIsAsLongAsItWas() {
    RecordStory story;
    story.window.setPrompt(QStringLiteral("Write a rhyme about Lina and the goose."));
    story.useModel("float32", 60);
    story.record().start();
    for (int i = 1; i <= 2; ++i) {
      story.window.command("step")->trigger();
      QTRY_VERIFY_WITH_TIMEOUT(story.window.model().stepCount() == i &&
                                   story.window.controller().phase() == Phase::Paused,
                               kPatience);
    }
    story.window.command("stop")->trigger();
    QTRY_COMPARE(story.window.controller().phase(), Phase::Idle);
    const QString file = story.saveLesson("Mine");
    const Lesson lesson = readLessonFile(file.toStdString());
    QVERIFY(std::ranges::find(lesson.steps.at(0).actions,
                              LessonAction{LessonVerb::Steps, "2"}) !=
            lesson.steps[0].actions.end());
  }

  void theGridAndTheLabAreOneActionEach() {
    RecordStory story;
    story.window.setPrompt(QStringLiteral("Say this backwards: lamp coin key. Answer:"));
    story.useModel("float32", 2);
    story.record().start();
    story.window.command("runGrid")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(story.stepCount(), std::size_t{1}, kPatience);
    QCOMPARE(story.window.runs().count(), 4);
    story.window.command("lab")->trigger();
    auto* lab = story.window.findChild<LabWindow*>();
    lab->list()->setCurrentRow(0);
    lab->start();
    QTRY_COMPARE_WITH_TIMEOUT(story.stepCount(), std::size_t{2}, kPatience);
    const QString file = story.saveLesson("Mine");
    const Lesson lesson = readLessonFile(file.toStdString());
    QCOMPARE(lesson.steps[0].actions.back(), (LessonAction{LessonVerb::Grid, ""}));
    QCOMPARE(lesson.steps[1].actions,
             (std::vector{LessonAction{LessonVerb::Lab,
                                       story.window.lab().result()->experiment}}));
    RecordStory again;
    played(again, file);
    QCOMPARE(again.window.runs().count(), 4);
    again.window.lessons().end();
  }

  void aPictureIsSavedBesideTheLesson() {
    const QTemporaryDir resources;
    const auto model = std::filesystem::path(resources.path().toStdString()) / "models" /
                       "equipatch-tiny-vision";
    test::writeImageModel(model, test::Letters::All);
    qputenv("EQUIPATCH_RESOURCES", resources.path().toUtf8());
    const auto forget = qScopeGuard([] { qunsetenv("EQUIPATCH_RESOURCES"); });
    RecordStory story;
    story.window.setFolder(QString::fromStdString(model.string()));
    story.choose("dtype", "float32");
    story.window.setSteps(2);
    PromptEditor& prompt = *story.window.findChild<PromptEditor*>();
    const auto picture = readPicture(test::data("images/gemma3_mm/image0.png"));
    prompt.setParts(partsOf(QStringLiteral("A <start_of_image> b?"), {picture}));
    story.record().start();
    story.run();
    QTRY_COMPARE(story.stepCount(), std::size_t{1});
    const auto before = story.state();
    const QString file = story.saveLesson("Mine");
    QVERIFY(QFile::exists(LessonDesk::folder() + u'/' + lessonPictureName(*picture)));
    RecordStory again;
    // The user's data folder is another one now; the lesson plays from its old place.
    auto after = played(again, file);
    QVERIFY(after["images"] == before.at("images"));
    QCOMPARE(after["answer"], before.at("answer"));
    QCOMPARE(after["prompt"], before.at("prompt"));
  }

  void nothingIsLostWhenTheWindowCloses() {
    QString draft;
    {
      RecordStory story;
      story.window.setPrompt(
          QStringLiteral("Say this backwards: lamp coin key. Answer:"));
      story.useModel("float32", 2);
      story.record().start();
      story.run();
      QTRY_COMPARE(story.stepCount(), std::size_t{1});
      const QStringList files =
          QDir(LessonDesk::folder()).entryList({QStringLiteral("draft-*.md")});
      QCOMPARE(files.size(), 1);  // written at once, in case of a crash
      story.window.setSteps(1);
      story.window.close();
      draft = LessonDesk::folder() + u'/' + files.front();
      const Lesson lesson = readLessonFile(draft.toStdString());
      QCOMPARE(lesson.steps.size(), std::size_t{2});
      QVERIFY(lesson.title.starts_with("Draft of "));

      // After the next start its text is edited, and the window is closed again.
      MainWindow next(story.engine);
      next.lessons().record().edit(draft);
      auto* dialog = next.lessons().record().dialog();
      QVERIFY(dialog);
      auto* text = dialog->findChild<QPlainTextEdit*>(QStringLiteral("recordText"));
      text->setPlainText(QStringLiteral("# A heading\nis no title."));
      next.close();
      QCOMPARE(readLessonFile(draft.toStdString()).steps[0].text,
               std::string("\\# A heading\nis no title.\n"));
    }
  }

  void wordsAndExpectationsAreEdited() {
    RecordStory story;
    story.window.setPrompt(QStringLiteral("Say this backwards: lamp coin key. Answer:"));
    story.useModel("float32", 3);
    story.record().start();
    story.run();
    QTRY_COMPARE(story.stepCount(), std::size_t{1});
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
    dialog->findChild<QPushButton*>(QStringLiteral("recordSave"))->click();
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

  void unrecordableSettingsAreReported() {
    const QTemporaryDir other;
    RecordStory story;
    story.window.setPrompt(QStringLiteral("ab"));
    story.window.setFolder(QString::fromStdString(
        test::writeImageModel(other.filePath(QStringLiteral("another")).toStdString())
            .string()));
    story.choose("dtype", "float32");
    story.window.setSteps(65);
    story.record().start();
    story.window.command("step")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(story.window.controller().phase() == Phase::Paused,
                             kPatience);
    story.record().stop();  // in the middle of a run
    RecordDialog* dialog = story.record().dialog();
    QVERIFY(dialog);
    QVERIFY(dialog->findChild<QLabel*>(QStringLiteral("recordLost"))
                ->text()
                .contains(QStringLiteral("the model another")));
    dialog->findChild<QPushButton*>(QStringLiteral("recordDelete"))->click();
    QVERIFY(QDir(LessonDesk::folder()).entryList({QStringLiteral("*.md")}).isEmpty());
    story.window.command("stop")->trigger();
    QTRY_COMPARE(story.window.controller().phase(), Phase::Idle);
  }
};

EQUIPATCH_TEST(tst_story_record)
#include "tst_story_record.moc"
