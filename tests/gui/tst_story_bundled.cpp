// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextCursor>
#include <algorithm>
#include <cmath>

#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/support/tiny_checkpoint.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/chart/heatmap_chart.h"
#include "ui/run/session_engine.h"
#include "ui/window/main_window.h"

using namespace equipatch;

namespace {

using Phase = RunController::Phase;
constexpr int kLong = 120000;  // milliseconds: a slow machine is no failure

/// The window on the real engine and the model that comes with the program.
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
  void run() {
    const auto before = model().sharedHeader();  // held, so that the next one is another
    window.command("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(model().sharedHeader() != before && !model().empty() &&
                                 window.controller().phase() == Phase::Idle,
                             kLong);
  }
};

}  // namespace

/// First use of the program with its bundled model.
class tst_story_bundled : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  /// The answer stands in the prompt alone: the patched pass, which does not see it,
  /// gives the same token, and the bare pass another.
  void answersFromItsPrompt() {
    BundledStory story;
    story.run();
    QCOMPARE(story.model().mismatchCount(), 0);
    const StepRecord& first = story.model().step(0);
    QVERIFY(first.margin > 1.0 && first.patchedDistance.linf < 0.5 * first.margin);
    QVERIFY(first.bareDistance && first.bareDistance->linf > 1.0);
    QVERIFY(story.window.charts().chart<HeatmapChart>()->isDataVisible());
  }

  void halfAPatchIsTriedLive() {
    BundledStory story;
    story.run();
    const auto* table = story.window.findChild<QTableView*>(QStringLiteral("choices"));
    story.window.findChild<QSlider*>(QStringLiteral("strength"))->setValue(0);
    QTRY_COMPARE_WITH_TIMEOUT(table->model()->columnCount(), 4, kLong);
    const StrengthReading* bare = story.window.findChild<StrengthPanel*>()->shown();
    QVERIFY(bare && bare->distance.linf > 1.0);  // no patch: the bare pass
  }

  void aKeptSpanNeedsASmallerPatch() {
    BundledStory story;
    story.run();
    double whole = 0.0;
    for (const LayerRecord& layer : story.model().step(0).layers)
      whole += layer.matrices.front().norm;
    auto* prompt = story.window.findChild<PromptView*>(QStringLiteral("prompt"));
    QTextCursor cursor = prompt->textCursor();
    cursor.setPosition(0);
    cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
    prompt->setTextCursor(cursor);
    prompt->setFocus();
    QTest::keyClick(prompt, Qt::Key_M, Qt::ControlModifier);
    story.run();
    QCOMPARE(story.model().mismatchCount(), 0);
    double kept = 0.0;
    for (const LayerRecord& layer : story.model().step(0).layers)
      kept += layer.matrices.front().norm;
    QVERIFY2(kept < whole, qPrintable(QStringLiteral("%1 %2").arg(kept).arg(whole)));
  }

  void theGridDistinguishesMethods() {
    BundledStory story;
    story.window.command("runGrid")->trigger();
    RunList& runs = story.window.runs();
    QTRY_COMPARE_WITH_TIMEOUT(runs.count(), 4, kLong);
    QTRY_VERIFY_WITH_TIMEOUT(
        story.window.controller().phase() == Phase::Idle && !runs.at(3).steps.empty(),
        kLong);
    const auto matches = [](const RunModel::Record& step) { return step->match; };
    for (const int run : {0, 3})  // balanced closed in float32 and in bfloat16
      QVERIFY(std::ranges::all_of(runs.at(run).steps, matches));
    QVERIFY(runs.at(0).linf.median < runs.at(3).linf.median);
    QVERIFY(runs.at(3).linf.median < runs.at(1).linf.median);  // direct open is far worse
    auto* table = story.window.findChild<QTableView*>(QStringLiteral("runs"));
    table->selectRow(1);
    QTest::keyClick(table, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(runs.current(), 1, kLong);
  }

  void aWrongFolderIsASentence() {
    BundledStory story;
    story.window.setFolder(QStringLiteral("/nowhere/at-all"));
    story.window.command("run")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(
        story.window.messages().text().contains(QStringLiteral("/nowhere/at-all")),
        kLong);
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
    QTRY_VERIFY_WITH_TIMEOUT(!told().isEmpty(), kLong);
    QVERIFY2(told().contains(QStringLiteral("layer 1's MLP")) &&
                 told().contains(QStringLiteral("W_up holds NaN or infinity")),
             qPrintable(told()));
    QCOMPARE(story.window.controller().phase(), Phase::Idle);
    QVERIFY(story.model().empty());
  }
};

EQUIPATCH_TEST(tst_story_bundled)
#include "tst_story_bundled.moc"
