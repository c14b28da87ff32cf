// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextCursor>
#include <algorithm>
#include <cmath>

#include "core/record/file/run_file.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/support/tiny_checkpoint.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/run_to_end.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/chart/heatmap_chart.h"
#include "ui/export/data_dialog.h"
#include "ui/run/session_engine.h"
#include "ui/runs/earlier_run_items.h"
#include "ui/window/main_window.h"

using namespace equipatch;
using equipatch::test::kPatience;

namespace {

using Phase = RunController::Phase;

/// The window with the real engine and the bundled model.
struct BundledStory {
  test::QuietPlatform quiet;
  test::ScratchSettings settings;
  SessionEngine engine;
  MainWindow window{engine};

  BundledStory() {
    const auto folder = test::data("../../resources/models/equipatch-tiny");
    window.setFolder(QString::fromStdString(folder.lexically_normal().string()));
    window.setPrompt(
        QStringLiteral("Remember this list: lamp is 17, coin is 42, key is 99. Which one "
                       "belongs to coin? Answer:"));
    window.setSteps(3);
    window.show();
    static_cast<void>(QTest::qWaitForWindowActive(&window));
  }

  const RunModel& model() const { return window.model(); }
  void run() { test::runToEnd(window); }
};

}  // namespace

class tst_story_bundled : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  /// Only the prompt contains the answer, so the bare pass gives another token.
  void theBundledModelAnswersFromItsPrompt() {
    BundledStory story;
    story.run();
    QCOMPARE(story.model().mismatchCount(), 0);
    const StepRecord& first = story.model().step(0);
    QCOMPARE(first.tokenText + story.model().step(1).tokenText, std::string(" 42"));
    QVERIFY(first.bare.front().id != first.contextual.front().id);
    QVERIFY(first.margin > 1.0 && first.patchedDistance.linf < 0.5 * first.margin);
    QVERIFY(first.bareDistance && first.bareDistance->linf > 1.0);
    QVERIFY(story.window.charts().chart<HeatmapChart>()->isDataVisible());
  }

  /// The first run is one of the grid's four, although the model's folder was given by a
  /// relative path.
  void theGridReusesTheFirstRun() {
    BundledStory story;
    const auto* panel = story.window.findChild<ModelPanel*>();
    story.window.setFolder(QDir().relativeFilePath(panel->folder()));
    story.run();
    for (int time = 0; time < 2; ++time) {
      story.window.command("runGrid")->trigger();
      QTRY_VERIFY_WITH_TIMEOUT(story.window.controller().phase() == Phase::Idle &&
                                   story.window.runs().count() >= 4,
                               kPatience);
      QCOMPARE(story.window.runs().count(), 4);
    }
    QCOMPARE(story.window.runs().at(0).name, QString("bfloat16 balanced closed"));
  }

  /// Absorbing the fact that the question asks for has the largest effect.
  void eachSentenceIsAbsorbedInTurn() {
    BundledStory story;
    story.window.setPrompt(
        QStringLiteral("The lamp is 17. The coin is 42. The key is 99. Which one belongs "
                       "to coin? Answer:"));
    const RunList& runs = story.window.runs();
    for (int time = 0; time < 2; ++time) {  // the second time adds no run
      story.window.command("runEachSentence")->trigger();
      QTRY_VERIFY_WITH_TIMEOUT(story.window.controller().phase() == Phase::Idle &&
                                   runs.count() >= 5 && runs.at(4).ending,
                               kPatience);
    }
    QCOMPARE(runs.count(), 5);
    QCOMPARE(runs.at(1).name, QStringLiteral("absorbs “The coin is 42.”"));
    for (const int other : {0, 2})
      QVERIFY(runs.at(1).worth().largest() > 2.0 * runs.at(other).worth().largest());
    const auto& chart = *story.window.findChild<AccuracyChart*>();
    QCOMPARE(chart.panel().x.label, std::string("KL of the ablated pass, nats"));
    QStringList ranked;
    for (const FigureBox& box : chart.panel().boxes)
      ranked << QString::fromStdString(box.name).section(u' ', 2, 2);
    QVERIFY2(ranked.indexOf("coin") < ranked.indexOf("lamp") &&
                 ranked.indexOf("coin") < ranked.indexOf("key"),
             qPrintable(ranked.join(u' ')));
  }

  void atStrength0ThePatchedPassIsTheBareOne() {
    BundledStory story;
    story.run();
    const auto* table = story.window.findChild<QTableView*>(QStringLiteral("choices"));
    story.window.findChild<QSlider*>(QStringLiteral("strength"))->setValue(0);
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->columnCount(), 4, kPatience);
    const StepRecord& step = story.model().step(story.window.selection().step());
    const StrengthReading* tried = story.window.findChild<StrengthPanel*>()->shown();
    QVERIFY(tried && tried->distance.linf > 1.0);
    QCOMPARE(tried->distance.linf, step.bareDistance->linf);
    QVERIFY(tried->choices.front().id == step.bare.front().id);
  }

  void aKeptSpanMakesThePatchSmaller() {
    BundledStory story;
    story.run();
    double whole = 0.0;
    for (const LayerRecord& layer : story.model().step(0).layers)
      whole += layer.matrices.front().norm;
    auto* prompt = story.window.findChild<PromptView*>(QStringLiteral("prompt"));
    QTextCursor cursor = prompt->textCursor();
    cursor.setPosition(int(prompt->toPlainText().indexOf(QStringLiteral(" Which"))));
    cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
    prompt->setTextCursor(cursor);
    prompt->setFocus();
    QTest::keyClick(prompt, Qt::Key_M, Qt::ControlModifier);
    story.run();
    QCOMPARE(story.model().mismatchCount(), 0);
    double kept = 0.0;
    for (const LayerRecord& layer : story.model().step(0).layers)
      kept += layer.matrices.front().norm;
    QVERIFY2(kept > 0.0 && kept < whole,
             qPrintable(QStringLiteral("%1 %2").arg(kept).arg(whole)));
  }

  void aStoppedRunGoesOnFromTheListOfEarlierRuns() {
    BundledStory story;
    story.window.setSteps(9);
    story.window.findChild<QCheckBox*>(QStringLiteral("ignoreEnd"))->setChecked(true);
    story.run();
    const auto whole = story.model().records();
    QCOMPARE(whole.size(), 9u);
    for (int step = 1; step <= 4; ++step) {
      story.window.command("step")->trigger();
      QTRY_VERIFY_WITH_TIMEOUT(story.model().stepCount() == step &&
                                   story.window.controller().phase() == Phase::Paused,
                               kPatience);
    }
    story.window.command("stop")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(story.window.controller().phase(), Phase::Idle, kPatience);
    story.window.command("earlierRuns")->trigger();
    auto* tree = story.window.findChild<QTreeWidget*>(QStringLiteral("earlierTree"));
    QTRY_COMPARE_WITH_TIMEOUT(tree->topLevelItemCount(), 2, kPatience);
    auto* goOn = story.window.findChild<QPushButton*>(QStringLiteral("earlierContinue"));
    for (const char* steps : {"9", "4"}) {  // the complete run, then the stopped one
      const auto column = EarlierRunItem::Steps;
      const auto items =
          tree->findItems(QLatin1String(steps), Qt::MatchStartsWith, column);
      QCOMPARE(items.size(), 1);
      tree->setCurrentItem(
          items.front(), 0,
          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
      QCOMPARE(goOn->isEnabled(), *steps == '4');
    }
    goOn->click();
    QTRY_VERIFY_WITH_TIMEOUT(story.model().stepCount() == 9 &&
                                 story.window.controller().phase() == Phase::Idle,
                             kPatience);
    QCOMPARE(story.window.messages().text(), QString());
    for (int step = 0; step < 9; ++step)
      QVERIFY2(sameResults(*whole[std::size_t(step)], story.model().step(step)),
               qPrintable(QString::number(step)));
    const StoredRun stored = readRun(story.window.controller().file());
    QVERIFY(stored.ending == RunEnding::Complete);
    QCOMPARE(stored.steps.size(), 9u);
    QCOMPARE(stored.header->continuations.size(), 1u);
    QCOMPARE(story.window.runs().count(), 2);
  }

  /// Both passes sample with the same random numbers.
  void sampledTokensMatchAndPatchesAreAudited() {
    BundledStory story;
    story.window.findChild<QDoubleSpinBox*>(QStringLiteral("temperature"))->setValue(3.0);
    story.window.findChild<QLineEdit*>(QStringLiteral("seed"))->setText("5");
    story.window.findChild<QCheckBox*>(QStringLiteral("audit"))->setChecked(true);
    story.window.setSteps(6);
    story.run();
    const auto first = story.model().records();
    for (const auto& step : first) {
      QVERIFY(step->sampledMatch.value_or(false));
      QVERIFY(step->auditDistance && step->auditDistance->linf < 0.1);
    }
    QVERIFY(std::ranges::any_of(
        first, [](const auto& step) { return step->token != step->contextual[0].id; }));
    story.run();
    for (std::size_t step = 0; step < first.size(); ++step)
      QVERIFY(first[step]->token == story.model().step(int(step)).token);
    story.window.findChild<QLineEdit*>(QStringLiteral("seed"))->setText("6");
    story.run();
    QVERIFY(!std::ranges::equal(
        first, story.model().records(),
        [](const auto& a, const auto& b) { return a->token == b->token; }));
  }

  void tokenIdsGiveTheSameStepsAsTheirText() {
    BundledStory story;
    story.run();
    const auto asText = story.model().records();
    story.window.findChild<QRadioButton*>(QStringLiteral("tokenIds"))->click();
    story.run();
    QVERIFY(story.model().header()->request.promptText.empty());
    for (std::size_t step = 0; step < asText.size(); ++step)
      QVERIFY(sameResults(*asText[step], story.model().step(int(step))));
  }

  void theRunIsExported() {
    BundledStory story;
    story.run();
    story.window.command("exportData")->trigger();
    auto* dialog = story.window.findChild<DataDialog*>();
    const QTemporaryDir folder;
    const auto write = [&](RunForm form, const char* target) {
      dialog->forms()->setCurrentIndex(dialog->forms()->findData(int(form)));
      dialog->target()->setText(folder.filePath(QString::fromLatin1(target)));
      dialog->exportButton()->click();
      QTRY_VERIFY_WITH_TIMEOUT(dialog->message().startsWith(QStringLiteral("Wrote ")),
                               kPatience);
    };
    write(RunForm::Csv, "tables");
    QVERIFY(QFile::exists(folder.filePath(QStringLiteral("tables/steps.csv"))));
    write(RunForm::Npz, "run.npz");
    QVERIFY(QFile::exists(folder.filePath(QStringLiteral("run.npz"))));
    write(RunForm::Adapter, "adapter");
    QVERIFY(QFile::exists(
        folder.filePath(QStringLiteral("adapter/adapter_model.safetensors"))));
    write(RunForm::Checkpoint, "saved");
    QVERIFY2(dialog->message().contains(
                 QStringLiteral("alone, it predicts the contextual pass's token")),
             qPrintable(dialog->message()));
    QVERIFY(dialog->size().contains(QStringLiteral("is free there")));
  }

  void errorsInTheGridDependOnMethodAndDtype() {
    BundledStory story;
    story.window.command("runGrid")->trigger();
    RunList& runs = story.window.runs();
    QTRY_COMPARE_WITH_TIMEOUT(runs.count(), 4, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(
        story.window.controller().phase() == Phase::Idle && !runs.at(3).steps.empty(),
        kPatience);
    const auto matches = [](const RunModel::Record& step) { return step->match; };
    for (const int run : {0, 3})  // balanced closed in float32 and in bfloat16
      QVERIFY(std::ranges::all_of(runs.at(run).steps, matches));
    QVERIFY(runs.at(0).linf.median < runs.at(3).linf.median);
    QVERIFY(runs.at(3).linf.median < runs.at(1).linf.median);  // direct open is far worse
    auto* table = story.window.findChild<QTableView*>(QStringLiteral("runs"));
    table->selectRow(1);
    QTest::keyClick(table, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(runs.current(), 1, kPatience);
  }

  void aWrongFolderIsReported() {
    BundledStory story;
    story.window.setFolder(QStringLiteral("/nowhere/at-all"));
    story.window.command("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(
        story.window.messages().text().contains(QStringLiteral("/nowhere/at-all")),
        kPatience);
  }

  void aDamagedWeightIsNamed() {
    const QTemporaryDir folder;
    const auto model = test::writeTinyCheckpoint(
        folder.filePath(QStringLiteral("damaged")).toStdString(), {.vocabulary = 2048});
    std::filesystem::copy_file(
        test::data("../../resources/models/equipatch-tiny/tokenizer.json"),
        model / "tokenizer.json");
    test::changeTensors(model, [](const std::string& name, std::vector<float>& values) {
      if (name.find("layers.1.mlp.up_proj") != std::string::npos)
        values[0] = std::nanf("");
    });
    BundledStory story;
    story.window.setFolder(QString::fromStdString(model.string()));
    story.window.command("run")->trigger();
    const auto told = [&] { return story.window.messages().text(); };
    QTRY_VERIFY_WITH_TIMEOUT(!told().isEmpty(), kPatience);
    QVERIFY2(told().contains(QStringLiteral("Layer 1's MLP")) &&
                 told().contains(QStringLiteral("W_up holds NaN or infinity")),
             qPrintable(told()));
    QCOMPARE(story.window.controller().phase(), Phase::Idle);
    QVERIFY(story.model().empty());
  }
};

EQUIPATCH_TEST(tst_story_bundled)
#include "tst_story_bundled.moc"
