// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/run_desk.h"

#include <QSignalSpy>

#include "core/record/file/run_writer.h"
#include "core/record/run_catalogue.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/desk_fixture.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/export/export_dialog.h"

using namespace equipatch;
using test::DeskFixture;

class tst_run_desk : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void startsARunAsThePanelsAreSet() {
    DeskFixture f;
    const QSignalSpy starting(&f.desk, &RunDesk::starting);
    f.desk.run();
    f.models.refresh();
    QTRY_VERIFY(f.messages.text().contains(QStringLiteral("No model is chosen")));
    QCOMPARE(starting.count(), 0);
    f.models.panel().setFolder(QStringLiteral("/models/synthetic"));
    f.models.panel().setSteps(3);
    f.prompt.setText(QStringLiteral("Once upon a"));
    f.desk.run();
    QVERIFY(f.messages.text().isEmpty());
    QCOMPARE(starting.count(), 1);
    QTRY_COMPARE(f.model.stepCount(), 3);
    QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
    QCOMPARE(f.engine.lastRequest().promptText, std::string("Once upon a"));
    f.desk.runAgain();
    QTRY_COMPARE(f.engine.runs(), 2);
    QCOMPARE(f.engine.loads(), 1);
    f.desk.stop();
    QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
  }

  void typingAPromptClearsTheEmptyPromptMessage() {
    DeskFixture f;
    f.models.panel().setFolder(QStringLiteral("/models/synthetic"));
    f.prompt.setText(QString());
    f.desk.run();
    QVERIFY(f.messages.text().contains(QStringLiteral("The prompt is empty")));
    QCOMPARE(f.engine.loads(), 0);
    f.prompt.setText(QStringLiteral("Once"));
    QTRY_VERIFY(f.messages.text().isEmpty());
  }

  /// The user need not press Return after typing.
  void aRunUsesTheAbsorbedPartBeingTyped() {
    DeskFixture f;
    f.models.panel().setFolder(QStringLiteral("/models/synthetic"));
    f.models.panel().setSteps(1);
    f.prompt.setText(QStringLiteral("Once upon a"));
    f.desk.run();
    QTRY_COMPARE(f.engine.runs(), 1);
    QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
    f.prompt.setModel(f.controller.loaded());
    f.prompt.prepareNow();
    QTRY_VERIFY(f.prompt.tokenCount() > 2);
    auto* field = f.prompt.findChild<QComboBox*>(QStringLiteral("absorb"))->lineEdit();
    field->setText(QStringLiteral("1-99"));
    f.desk.run();
    QVERIFY(f.messages.text().startsWith(QStringLiteral("Position 99")));
    QCOMPARE(field->text(), QStringLiteral("1-99"));
    QCOMPARE(f.engine.runs(), 1);
    field->setText(QStringLiteral("1-2"));
    f.desk.run();
    QTRY_COMPARE(f.engine.runs(), 2);
    QVERIFY(!f.engine.lastRequest().absorbed.keeps(1, f.prompt.tokenCount()));
    QVERIFY(f.engine.lastRequest().absorbed.keeps(0, f.prompt.tokenCount()));
    QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
  }

  void namesAreSavedInTheRunsFile() {
    const equipatch::test::QuietPlatform quiet;
    DeskFixture f;
    f.run(3);
    const std::filesystem::path file = f.desk.list().at(0).file;
    std::filesystem::remove(file);  // the engine's file holds no run
    RunHeader header = *test::makeHeader();
    header.request.prompt = {{.id = TokenId(1)}};
    test::recordRun(header, {}, file);
    RunList& list = f.desk.list();
    QVERIFY(list.setData(list.index(0, RunList::Name), "mine", Qt::EditRole));
    QTRY_COMPARE(readCatalogueRun(file).labels.name, std::string("mine"));
    // Closing the editor without a change sets no name.
    QVERIFY(!list.setData(list.index(0, RunList::Name), "mine", Qt::EditRole));
    f.desk.exportFigure();
    auto* dialog = f.window.findChild<ExportDialog*>();
    dialog->runs()->item(0)->setText(QStringLiteral("for the paper"));
    QCOMPARE(list.at(0).name, QStringLiteral("for the paper"));
    QTRY_COMPARE(readCatalogueRun(file).labels.name, std::string("for the paper"));
    // A run that is opened from a file shows the name stored there.
    const std::filesystem::path copy = file.parent_path() / "copy.eqrun";
    std::filesystem::copy_file(file, copy);
    f.desk.open({QString::fromStdString(copy.string())});
    QTRY_COMPARE(list.count(), 2);
    QTRY_COMPARE(list.at(1).ownName, QStringLiteral("for the paper"));
    // A name that was set before the file is opened replaces the stored name.
    const std::filesystem::path third = file.parent_path() / "third.eqrun";
    std::filesystem::copy_file(file, third);
    list.setNameOf(third, QStringLiteral("newer"));
    f.desk.open({QString::fromStdString(third.string())});
    QTRY_COMPARE(list.count(), 3);
    QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
    QCOMPARE(list.at(2).name, QStringLiteral("newer"));
  }

  /// Starting another run ends the run in progress.
  void aRunThatIsStartedOverKeepsItsName() {
    DeskFixture f;
    f.run(1);
    RunSettings settings;
    settings.model.folder = "/models/tiny";
    settings.prompt.text = "Once upon a";
    settings.run.steps = 100000;
    settings.record = f.desk.files().newFile(QStringLiteral("tiny"));
    f.controller.startOver(settings);
    QTRY_VERIFY(f.desk.list().count() == 2 && f.controller.isComputing());
    const std::filesystem::path file = f.desk.list().at(1).file;
    std::filesystem::remove(file);  // the engine's file holds no run
    {
      RunHeader header = *test::makeHeader();
      header.request.prompt = {{.id = TokenId(1)}};
      RunWriter(file, header).finish(RunEnding::Stopped);
    }
    RunList& list = f.desk.list();
    QVERIFY(list.setData(list.index(1, RunList::Name), "mine", Qt::EditRole));
    QVERIFY(!list.at(1).ending);
    f.run(2);
    QCOMPARE(list.at(1).ending, std::optional(RunEnding::Stopped));
    QCOMPARE(list.at(2).ending, std::optional(RunEnding::Complete));
    QTRY_COMPARE(readCatalogueRun(file).labels.name, std::string("mine"));
  }

  void closedRunsLeaveTheChart() {
    DeskFixture f;
    for (const int steps : {4, 5, 6}) f.run(steps);
    QCOMPARE(f.chart.otherCount(), 2);
    f.desk.list().close(0);
    QVERIFY(f.desk.list().canReopen() && f.chart.otherCount() == 1);
    f.desk.list().close(f.desk.list().current());  // the closed run stays on display
    QCOMPARE(f.chart.otherCount(), 1);
  }

  void closingARunDisplaysTheNearestOne() {
    DeskFixture f;
    for (const int steps : {4, 5, 6}) f.run(steps);
    RunList& list = f.desk.list();
    const auto file = list.at(1).file;
    f.desk.panel().closeRuns({2});
    QTRY_COMPARE(list.current(), 1);
    QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
    QCOMPARE(f.controller.file(), file);
    f.desk.panel().closeRuns({0, 1});
    QVERIFY(!f.model.header());
    f.desk.reopen();
    QTRY_COMPARE(f.controller.file(), file);
    QTRY_COMPARE(list.current(), 1);
    QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
  }

  void theRunOnDisplayIsNamed() {
    DeskFixture f;
    QString name;
    bool drawn = false;
    QObject::connect(&f.desk, &RunDesk::displayNamed, &f.desk,
                     [&](const QString& shown, const QIcon& swatch) {
                       name = shown;
                       drawn = !swatch.isNull();
                     });
    f.run(4);
    QCOMPARE(name, QStringLiteral("synthetic · bfloat16 balanced closed"));
    QVERIFY(drawn);
    f.run(5);
    QCOMPARE(name, QStringLiteral("synthetic · bfloat16 balanced closed #2"));
    RunList& list = f.desk.list();
    list.setData(list.index(1, RunList::Name), QStringLiteral("synthetic, again"),
                 Qt::EditRole);
    QCOMPARE(name, QStringLiteral("synthetic, again"));
    list.close(1);
    QCOMPARE(name, QStringLiteral("synthetic · bfloat16 balanced closed"));
    QVERIFY(!drawn);
  }

  void continuesTheRunThatWasOpened() {
    DeskFixture f;
    f.engine.storedEnding = RunEnding::Stopped;
    f.run(3);
    const std::filesystem::path file = f.controller.file();
    f.desk.continueFile(QString::fromStdString(file.string()));
    QTRY_COMPARE(f.model.stepCount(), f.engine.kContinuedSteps);
    QCOMPARE(f.engine.lastUnfinished().file, file);
    // If the run goes on in another file, that file is listed under the run's name.
    QVERIFY(f.desk.list().knowsNameOf(f.engine.lastUnfinished().other));
  }

  void aRunWhoseModelCannotBeLoadedIsOfferedAgain() {
    DeskFixture f;
    f.engine.storedEnding = RunEnding::Interrupted;
    f.run(3);
    const QString file = QString::fromStdString(f.controller.file().string());
    f.controller.unload();
    const RunStore store;
    store.beginRecording(file);
    f.engine.loadFailure = "The model is damaged.";
    const QSignalSpy failed(&f.controller, &RunController::failed);
    f.desk.continueFile(file);
    QTRY_COMPARE(failed.count(), 1);
    QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
    QCOMPARE(store.interrupted(), file);
    f.engine.loadFailure.clear();
    f.desk.continueRun();
    QTRY_COMPARE(f.model.stepCount(), f.engine.kContinuedSteps);
    QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
    QCOMPARE(store.interrupted(), QString());
  }

  /// The last call must recognise the list's runs although the editor has rendered the
  /// chat.
  void runsEachSentenceOfAChatOnce() {
    DeskFixture f;
    f.engine.hasChat = true;
    f.models.panel().setFolder(QStringLiteral("/models/synthetic"));
    f.models.panel().setSteps(1);
    f.prompt.setForm(PromptForm::Chat);
    f.prompt.setText(QStringLiteral("The lamp is red. The coin is old."));
    f.desk.runEachSentence();
    QTRY_COMPARE(f.engine.runs(), 2);
    QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
    connect(
        &f.prompt, &PromptEditor::preparationRequested, &f.prompt,
        [&f](const auto& model, const PromptSource& source) {
          PreparedPrompt chat = preparePrompt(  // as the engine renders it
              {.text = "<user> " + source.text + " <model> ",
               .specials = SpecialTokens::Omit},
              *model->tokenizer, nullptr);
          chat.source = source;
          f.prompt.showPrepared(std::make_shared<const PreparedPrompt>(std::move(chat)));
        });
    f.prompt.setModel(f.controller.loaded());
    f.prompt.prepareNow();
    QVERIFY(f.prompt.prepared());
    f.desk.runEachSentence();
    QVERIFY2(f.messages.text().contains(QStringLiteral("has all of these runs")),
             qPrintable(f.messages.text()));
    QCOMPARE(f.engine.runs(), 2);
  }

  /// At first, the model is loaded in another dtype than the stored one.
  void runsEachSentenceAgainInTheStoredDtype() {
    DeskFixture f;
    ModelPanel& panel = f.models.panel();
    panel.setFolder(QStringLiteral("/models/synthetic"));
    panel.setSteps(1);
    panel.setDType(DType::F32);
    f.prompt.setText(QStringLiteral("The lamp is red. The coin is old."));
    f.desk.runEachSentence();
    QTRY_COMPARE(f.engine.runs(), 2);
    QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
    panel.showRequest({.folder = "/models/synthetic"});
    f.desk.runEachSentence();
    QTRY_COMPARE(f.engine.runs(), 4);
    QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
    QCOMPARE(f.controller.loaded()->dtype, DType::BF16);
    f.desk.runEachSentence();
    QVERIFY(f.messages.text().contains(QStringLiteral("has all of these runs")));
    QCOMPARE(f.engine.runs(), 4);
  }

  /// Calls that were queued when the first run ended must not affect the second run.
  void aRunCanBeContinuedAsAnotherEnds() {
    DeskFixture f;
    f.engine.storedEnding = RunEnding::Stopped;
    std::filesystem::path file;
    connect(&f.controller, &RunController::phaseChanged, &f.desk, [&] {
      if (f.controller.phase() != RunController::Phase::Idle || !file.empty()) return;
      if (f.model.empty()) return;  // the load ended, not the run
      file = f.controller.file();
      f.desk.continueFile(QString::fromStdString(file.string()));
    });
    f.begin(3);
    QTRY_COMPARE(f.model.stepCount(), f.engine.kContinuedSteps);
    QCOMPARE(f.engine.lastUnfinished().file, file);
  }

  void aRunThatCannotBeOpenedContinuesNoOther() {
    DeskFixture f;
    f.engine.storedEnding = RunEnding::Stopped;
    f.run(3);
    f.desk.files().open(QString::fromStdString(f.controller.file().string()));
    QTRY_COMPARE(f.model.stepCount(), f.engine.kStoredSteps);
    QTRY_VERIFY(f.desk.obstacleToContinuing().isEmpty());
    f.engine.openFailure = "The file is damaged.";
    const QSignalSpy failed(&f.controller, &RunController::failed);
    f.desk.continueFile(QStringLiteral("/runs/other.eqrun"));
    QTRY_COMPARE(failed.count(), 1);
    QCoreApplication::processEvents();  // runs what the end of the opening queued
    QCOMPARE(f.controller.phase(), RunController::Phase::Idle);
    QCOMPARE(f.engine.runs(), 1);
  }

  void saysWhyARunCannotContinue() {
    DeskFixture f;
    QVERIFY(f.desk.obstacleToContinuing().contains(QStringLiteral("No run")));
    f.run(3, false);
    QVERIFY(f.desk.obstacleToContinuing().contains(QStringLiteral("not recorded")));
    f.run(3);
    f.desk.continueRun();
    QVERIFY(f.messages.text().contains(QStringLiteral("all its steps")));
    f.controller.load({.folder = "/models/next"});
    QVERIFY(f.desk.obstacleToContinuing().contains("a load is in progress"));
  }

  void runsWithoutAFileAreNotOpened() {
    DeskFixture f;
    f.run(4, false);
    f.run(5);
    Q_EMIT f.desk.panel().displayRequested(0);
    QVERIFY(f.messages.text().contains(QStringLiteral("not recorded")));
    QVERIFY(f.engine.lastOpened().empty());
    f.desk.panel().closeRuns({1});  // then no run is on display, but one is ticked
    QCOMPARE(f.desk.figureRuns().size(), std::size_t(1));
  }
};

EQUIPATCH_TEST(tst_run_desk)
#include "tst_run_desk.moc"
