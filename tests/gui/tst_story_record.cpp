// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QLineEdit>
#include <QSlider>
#include <QSpinBox>
#include <array>
#include <map>

#include "core/lesson/lesson_reader.h"
#include "core/lesson/lesson_words.h"
#include "core/lesson/lesson_writer.h"
#include "tests/gui/record_story.h"
#include "tests/support/changed_environment.h"
#include "tests/support/image_model.h"
#include "tests/support/test_case.h"
#include "ui/chart/logit_chart.h"
#include "ui/inspect/strength_panel.h"
#include "ui/lab/lab_window.h"
#include "ui/prompt/picture_dialog.h"

using namespace equipatch;
using equipatch::test::kPatience;
using equipatch::test::LessonStory;
using Phase = RunController::Phase;
using equipatch::test::played;
using equipatch::test::RecordStory;

/// A lesson is recorded on the real window, saved, read and played.
class tst_story_record : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aRecordedLessonLeadsToTheSameState() {
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

    RecordStory again;  // with default settings
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

  void selectingAStepAlsoRecordsTheRunOnDisplay() {
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
                              LessonAction{LessonVerb::RunSteps, "3"}) !=
            lesson.steps[2].actions.end());
    RecordStory again;
    auto after = played(again, file);
    QCOMPARE(after["answer"], state.at("answer"));
    QCOMPARE(after["step"], state.at("step"));
    QCOMPARE(again.find<QSpinBox>("steps")->value(), 3);
  }

  void aClosedRunIsNotRecorded() {
    RecordStory story;
    story.window.setPrompt(QStringLiteral("Say this backwards: lamp coin key. Answer:"));
    story.useModel("float32", 2);
    story.run();
    story.record().start();
    story.window.findChild<RunsPanel*>()->closeRuns({0});
    QTRY_VERIFY(story.window.model().empty());
    QCoreApplication::processEvents();
    story.find<QDockWidget>("runsDock")->raise();
    QTRY_COMPARE(story.stepCount(), std::size_t{1});
    QCOMPARE(story.step(0).actions, (std::vector{LessonAction{LessonVerb::Tab, "runs"}}));
  }

  void tabsOfBothAreasAreRecorded() {
    RecordStory story;
    auto* prompt = story.find<QDockWidget>("promptDock");
    story.window.tabifyDockWidget(story.find<QDockWidget>("modelDock"), prompt);
    prompt->raise();
    QTRY_VERIFY(!prompt->visibleRegion().isEmpty());
    story.record().start();
    for (const char* dock : {"blockDock", "modelDock", "runsDock"}) {
      story.find<QDockWidget>(dock)->raise();
      QTRY_VERIFY(!story.find<QWidget>(dock)->visibleRegion().isEmpty());
    }
    const std::vector<LessonAction> both{{LessonVerb::Tab, "model"},
                                         {LessonVerb::Tab, "runs"}};
    QTRY_VERIFY(story.stepCount() == 1 && story.step(0).actions == both);
  }

  void layersPanelsAndRunsOfTheListAreRecorded() {
    RecordStory story;
    story.recordFirstRun();
    story.window.setPrompt(QStringLiteral("Who has the lamp? Ida has the lamp. Answer:"));
    story.run();
    QTRY_COMPARE(story.stepCount(), std::size_t{2});
    story.find<QDockWidget>("runsDock")->raise();
    QTRY_COMPARE(story.stepCount(), std::size_t{3});
    const auto shown = story.window.model().sharedHeader();
    Q_EMIT story.window.findChild<RunsPanel*>()->displayRequested(0);
    QTRY_VERIFY_WITH_TIMEOUT(story.window.model().sharedHeader() != shown &&
                                 story.window.controller().phase() == Phase::Idle &&
                                 story.stepCount() == 4,
                             kPatience);
    story.find<QDockWidget>("stepDock")->raise();
    QTRY_COMPARE(story.stepCount(), std::size_t{5});
    auto* strength = story.window.findChild<StrengthPanel*>();
    strength->layers().setRange(2, 5);
    QTRY_VERIFY_WITH_TIMEOUT(story.state().contains("tried-linf"), kPatience);
    QTRY_COMPARE(story.stepCount(), std::size_t{6});
    const auto before = story.state();
    QCOMPARE(before.at("layers-on"), std::string("4.000000"));
    const QString file = story.saveLesson("Mine");
    const Lesson lesson = readLessonFile(file.toStdString());
    QCOMPARE(lesson.steps[2].actions,
             (std::vector{LessonAction{LessonVerb::Tab, "runs"}}));
    QCOMPARE(lesson.steps[3].actions.front(), (LessonAction{LessonVerb::ListedRun, "1"}));
    QCOMPARE(lesson.steps[5].actions,
             (std::vector{LessonAction{LessonVerb::Layers, "2-5"}}));
    RecordStory again;
    auto after = played(again, file);
    QCOMPARE(again.window.runs().count(), 2);
    QCOMPARE(again.window.findChild<StrengthPanel*>()->layers().layers(),
             strength->layers().layers());
    QVERIFY(!again.find<QWidget>("stepDock")->visibleRegion().isEmpty());
    for (const char* name : {"answer", "layers-on", "tried-linf", "tried-match", "steps"})
      QVERIFY2(after[name] == before.at(name), name);
  }

  /// Two runs without files must not count as the same run.
  void runsWithoutFilesAreRecorded() {
    RecordStory story;
    story.window.setPrompt(QStringLiteral("Say this backwards: lamp coin key. Answer:"));
    story.useModel("float32", 2);
    story.record().start();
    const QString data = qEnvironmentVariable("XDG_DATA_HOME");
    QDir(data).removeRecursively();
    QFile inTheWay(data);
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    for (std::size_t count = 1; count <= 2; ++count) {
      story.window.run();
      QTRY_COMPARE_WITH_TIMEOUT(story.stepCount(), count, kPatience);
    }
    QVERIFY(story.window.controller().file().empty());
    const auto& step = story.record().recorder().recording().lesson.steps[1];
    QVERIFY(step.actions.front().verb == LessonVerb::Model);
  }

  void aStoppedRunIsRecordedWithItsLength() {
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
    QTRY_COMPARE(story.stepCount(), std::size_t{1});
    story.window.command("continueRun")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(story.stepCount(), std::size_t{2}, kPatience);
    const Lesson lesson = readLessonFile(story.saveLesson("Mine").toStdString());
    const std::array lengths{"2", "60"};
    for (std::size_t page = 0; page < 2; ++page)
      QCOMPARE(std::ranges::count(lesson.steps.at(page).actions,
                                  LessonAction{LessonVerb::RunSteps, lengths[page]}),
               1);
  }

  /// The end of a run selects a step, but this selection adds no page.
  void aRunUnderWayIsRecordedAtItsEnd() {
    RecordStory story;
    story.window.setPrompt(QStringLiteral("Write a rhyme about Lina and the goose."));
    story.useModel("float32", 5);
    story.window.command("step")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(story.window.model().stepCount() == 1 &&
                                 story.window.controller().phase() == Phase::Paused,
                             kPatience);
    story.record().start();
    QCOMPARE(story.stepCount(), std::size_t{0});
    story.window.command("run")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(story.stepCount(), std::size_t{1}, kPatience);
    story.window.selection().selectStep(3);
    QTRY_COMPARE(story.stepCount(), std::size_t{2});
    const auto& steps = story.record().recorder().recording().lesson.steps;
    QCOMPARE(std::ranges::count(steps[0].actions, LessonAction{LessonVerb::Run, ""}), 1);
    QCOMPARE(steps[1].actions, (std::vector{LessonAction{LessonVerb::Step, "3"}}));
    story.record().discard();
  }

  void theGridAndTheLabAreRecordedAsOneActionEach() {
    RecordStory story;
    story.window.setPrompt(QStringLiteral("Say this backwards: lamp coin key. Answer:"));
    story.useModel("float32", 1);
    story.run();  // is not in the list when the lesson is played
    story.window.setSteps(2);
    story.record().start();
    story.window.command("runGrid")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(story.stepCount(), std::size_t{1}, kPatience);
    QCOMPARE(story.window.runs().count(), 5);
    story.window.command("lab")->trigger();
    auto* lab = story.window.findChild<LabWindow*>();
    lab->list()->setCurrentRow(0);
    lab->start();
    QTRY_COMPARE_WITH_TIMEOUT(story.stepCount(), std::size_t{2}, kPatience);
    QVERIFY(story.lost().isEmpty());
    lab->form()->seedBox()->setValue(1);  // no action of a lesson sets a seed
    lab->start();
    QTRY_COMPARE_WITH_TIMEOUT(story.stepCount(), std::size_t{3}, kPatience);
    QCOMPARE(story.lost().size(), 1);
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

  /// During the recording, a grid computes only the runs that the list lacks. When the
  /// lesson is played, the grid computes all of its runs.
  void runsOfAGridAreNumberedAsTheLessonMakesThem() {
    RecordStory story;
    story.recordFirstRun();  // like the grid's first run
    auto* prompt = story.window.findChild<PromptEditor*>();
    const QString first = prompt->text();
    prompt->setText(QStringLiteral("Who has the lamp? Ida has the lamp. Answer:"));
    story.run();
    QTRY_COMPARE(story.stepCount(), std::size_t{2});
    prompt->setText(first);
    story.window.command("runGrid")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(story.stepCount(), std::size_t{3}, kPatience);
    QCOMPARE(story.window.runs().count(), 5);
    Q_EMIT story.window.findChild<RunsPanel*>()->displayRequested(0);
    QTRY_COMPARE_WITH_TIMEOUT(story.stepCount(), std::size_t{4}, kPatience);
    const auto& step = story.record().recorder().recording().lesson.steps[3];
    QCOMPARE(step.actions.front(), (LessonAction{LessonVerb::ListedRun, "1"}));
  }

  /// The grid is stopped before its first run. The run displayed later is not the grid's.
  void aGridWithoutRunsIsNotRecorded() {
    RecordStory story;
    story.window.setPrompt(QStringLiteral("Say this backwards: lamp coin key. Answer:"));
    story.useModel("bfloat16", 2);
    for (int i = 0; i < 2; ++i) story.run();
    story.record().start();
    story.window.command("runGrid")->trigger();
    story.window.command("stop")->trigger();  // while the model is loaded in float32
    QTRY_COMPARE_WITH_TIMEOUT(story.window.controller().phase(), Phase::Idle, kPatience);
    QCoreApplication::processEvents();
    Q_EMIT story.window.findChild<RunsPanel*>()->displayRequested(0);
    QTRY_COMPARE_WITH_TIMEOUT(story.stepCount(), std::size_t{1}, kPatience);
    const LessonStep& step = story.step(0);
    QVERIFY(std::ranges::find(step.actions, LessonVerb::Grid, &LessonAction::verb) ==
            step.actions.end());
  }

  void aPictureIsSavedBesideTheLesson() {
    const QTemporaryDir resources;
    const auto model = std::filesystem::path(resources.path().toStdString()) / "models" /
                       "equipatch-tiny-vision";
    test::writeImageModel(model, test::Letters::All);
    const test::ChangedEnvironment environment("EQUIPATCH_RESOURCES",
                                               resources.path().toUtf8());
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
    // A map is recorded with the quantity that was chosen last.
    auto* strip = story.window.findChild<TokenStrip*>();
    const auto first = story.window.model().header()->request.images.at(0).tokens.first;
    QTest::mouseClick(strip->viewport(), Qt::LeftButton, {},
                      strip->chipOfPrompt(int(first)).center());
    auto* dialog = story.window.findChild<PictureDialog*>();
    QVERIFY(dialog && dialog->map());
    dialog->map()->startButton().click();
    QTRY_COMPARE_WITH_TIMEOUT(story.stepCount(), std::size_t{2}, kPatience);
    const auto mapped = [&] { return story.step(story.stepCount() - 1).actions.back(); };
    QVERIFY(mapped().verb == LessonVerb::ImageMap);
    const std::string cells = mapped().argument;
    dialog->findChild<QComboBox*>(QStringLiteral("mapQuantity"))->setCurrentIndex(1);
    QTRY_COMPARE(mapped().argument, cells + " tvd");
    QCOMPARE(story.stepCount(), std::size_t{2});
    // A map of a step that is not selected cannot be recorded.
    QVERIFY(story.lost().isEmpty());
    auto* step = dialog->map()->findChild<QSpinBox*>();
    step->setValue(1 - step->value());
    dialog->map()->startButton().click();
    QTRY_COMPARE_WITH_TIMEOUT(story.lost().size(), 1, kPatience);
    QCOMPARE(story.stepCount(), std::size_t{2});
    const auto before = story.state();
    const QString file = story.saveLesson("Mine");
    QVERIFY(QFile::exists(LessonDesk::folder() + u'/' + lessonPictureName(*picture)));
    RecordStory again;
    // The file is in the first window's data folder, beside its picture.
    auto after = played(again, file);
    QVERIFY(after["images"] == before.at("images"));
    QCOMPARE(after["answer"], before.at("answer"));
    QCOMPARE(after["prompt"], before.at("prompt"));
    QCOMPARE(again.find<QComboBox>("mapQuantity")->currentIndex(), 1);
  }

  void aModelThatIsNotBundledIsReported() {
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
