// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/panel_sentence.h"

#include <limits>

#include "core/figure/layer_panels.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::changed;
using equipatch::test::figureRun;

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

StepRecord stepOf(double linf) {
  StepRecord step;
  step.patchedDistance.linf = linf;
  step.contextual = {{TokenId(1), " cat", 2.0, 0.9}};
  step.patched = {{TokenId(1), " cat", 2.0, 0.9}};
  return step;
}

FigurePanel mapOf(const std::vector<std::vector<float>>& columns) {
  FigurePanel panel{.x = {.label = "channel"}, .map = FigureMap{.label = "Δm"}};
  panel.map->grid = HeatGrid(2, 0);
  for (const std::vector<float>& column : columns) panel.map->grid.addColumn(column);
  return panel;
}

}  // namespace

class tst_panel_sentence : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void logitSentencesGiveDistancesAndDifferingTokens() {
    StepRecord step = stepOf(0.0123);
    QCOMPARE(logitSentence(step), std::string("Off by 0.0123 at most."));
    step.bareDistance = LogitDistance{.linf = 10.41};
    QCOMPARE(logitSentence(step),
             std::string("Off by 0.0123 at most; without the patch by 10.4."));
    step.match = false;
    step.patched.front() = {TokenId(2), "\n", 2.0, 0.9};
    QCOMPARE(logitSentence(step),
             std::string("Off by 0.0123 at most; without the patch by 10.4. ✗ “↵” "
                         "instead of “cat”."));
    QCOMPARE(logitSentence(stepOf(0.0)),
             std::string("Both passes' logits are the same numbers."));
    QCOMPARE(logitSentence(stepOf(kNoNumber)),
             std::string("The patched pass has logits that are not finite."));
    step = stepOf(kNoNumber);
    step.match = false;  // even if both choose the same token
    step.bareDistance = LogitDistance{.linf = 10.41};
    QCOMPARE(logitSentence(step),
             std::string("The patched pass has logits that are not finite; without the "
                         "patch off by 10.4."));
  }

  void marginStatesFollowMatchLinfAndMargin_data() {
    QTest::addColumn<bool>("match");
    QTest::addColumn<double>("linf");
    QTest::addColumn<double>("margin");
    QTest::addColumn<int>("expected");
    QTest::newRow("exact") << true << 0.0 << 0.5 << int(MarginState::Exact);
    QTest::newRow("safe") << true << 0.1 << 0.21 << int(MarginState::Safe);
    QTest::newRow("lucky") << true << 0.1 << 0.2 << int(MarginState::Lucky);
    QTest::newRow("near-tie") << false << 0.1 << 0.2 << int(MarginState::Explained);
    QTest::newRow("impossible")
        << false << 0.1 << 0.21 << int(MarginState::Contradiction);
    QTest::newRow("tie") << false << 0.0 << 0.0 << int(MarginState::Explained);
    QTest::newRow("NaN") << false << kNoNumber << 0.5 << int(MarginState::Explained);
    QTest::newRow("NaN, match") << true << kNoNumber << 0.5 << int(MarginState::Lucky);
  }

  void marginStatesFollowMatchLinfAndMargin() {
    QFETCH(bool, match);
    QFETCH(double, linf);
    QFETCH(double, margin);
    QFETCH(int, expected);
    StepRecord record;
    record.match = match;
    record.margin = margin;
    record.patchedDistance.linf = linf;
    QCOMPARE(int(marginState(record)), expected);
    QVERIFY(marginSentence(record).starts_with(match ? "Match" : "Mismatch"));
  }

  void mismatchSentencesGiveTheReason() {
    StepRecord record;
    record.match = false;
    record.margin = 0.25;
    record.patchedDistance.linf = 0.125;
    QCOMPARE(marginSentence(record),
             std::string("Mismatch: L∞ 0.125 equals half the margin of 0.25, so it can "
                         "change the choice."));
    record.margin = 0.125;
    QVERIFY(marginSentence(record).starts_with(
        "Mismatch: L∞ 0.125 exceeds half the margin of 0.125,"));
    record.patchedDistance.linf = kNoNumber;
    QCOMPARE(marginSentence(record),
             std::string("Mismatch: the patched pass has logits that are not finite."));
  }

  void patchSizeSentencesNameTheLargestSizesAndZeros() {
    FigurePanel panel;
    QVERIFY(patchSizeSentence(panel).empty());
    panel.curves = {{.name = "ΔW gate", .x = {0, 1, 2}, .y = {1.0, 3.25, kNoNumber}},
                    {.name = "Δm scale", .x = {0, 1, 2}, .y = {0.5, 0.5, 0.25}}};
    QCOMPARE(
        patchSizeSentence(panel),
        std::string("ΔW is largest in layer 1: gate 3.25; Δm in layer 0: scale 0.5."));
    panel.curves.front().y[0] = panel.curves.back().y[0] = 0.0;
    QVERIFY(patchSizeSentence(panel).ends_with(
        " Exactly 0 in layer 0: rounding leaves nothing of the absorbed tokens' effect "
        "there, or the layer's attention window begins after them."));
    panel.curves.back().y[0] = 0.5;
    panel.curves.front().y.assign(3, 0.0);  // as in a parallel block
    QCOMPARE(patchSizeSentence(panel),
             std::string("Δm is largest in layer 0: scale 0.5."));
    for (FigureCurve& curve : panel.curves) curve.y.assign(3, 0.0);
    QCOMPARE(patchSizeSentence(panel),
             std::string("The patch changes nothing: no context is absorbed here, or "
                         "nothing of it reaches this token."));
  }

  void theMapSentenceNamesTheLargestChange() {
    const FigurePanel panel = mapOf({{0.1f, -0.2f}, {0.0f, 0.0f}, {0.5f, -0.75f}});
    QCOMPARE(mapSentence(panel),
             std::string("Δm is largest in layer 1, channel 2: −0.75."));
    QCOMPARE(mapSentence(panel, 0),
             std::string("At channel 0, Δm is largest in layer 1: −0.2."));
    QCOMPARE(mapSentence(panel, 1),
             std::string("At channel 1, Δm is zero in every layer."));
    QVERIFY(mapSentence(panel, 3).empty() && mapSentence(panel, -1).empty());
    QVERIFY(mapSentence({}).empty());
    const FigurePanel broken = mapOf({{NAN, NAN}, {0.0f, NAN}});
    QVERIFY(mapSentence(broken, 0).empty());
    QCOMPARE(mapSentence(broken), std::string("Δm is zero everywhere."));
    QVERIFY(mapSentence(mapOf({{NAN, NAN}})).empty());
  }

  void theErrorSentenceNamesTheWorstLayer() {
    FigurePanel panel;
    QVERIFY(hiddenErrorSentence(panel).empty());
    panel.curves = {{.name = "hidden error", .x = {0, 1}, .y = {0.001, 0.002}},
                    {.name = "noise floor, all steps", .x = {0, 1}, .y = {0.001, 0.004}}};
    QCOMPARE(hiddenErrorSentence(panel),
             std::string("Off by 0.002 at most, after layer 1; below the noise floor, "
                         "0.004."));
    panel.curves[1].name = "ε of float32";
    panel.curves[0].y = {0.005, kNoNumber};
    QCOMPARE(hiddenErrorSentence(panel),
             std::string("Not finite after layer 1. Otherwise off by 0.005 at most, "
                         "after layer 0; above ε of float32, 0.001."));
    panel.curves[0].y = {0.0, std::numeric_limits<double>::infinity()};
    QCOMPARE(hiddenErrorSentence(panel),
             std::string("Not finite after layer 1. All other layers' outputs equal "
                         "the contextual pass's bit for bit."));
    panel.curves[0].y = {kNoNumber, kNoNumber};
    QCOMPARE(hiddenErrorSentence(panel), std::string("Not finite after layers 0–1."));
    panel.curves[0].y = {0.0, 0.0};
    QCOMPARE(
        hiddenErrorSentence(panel),
        std::string("Every layer's output equals the contextual pass's bit for bit."));
  }

  void thePanelsOfARunHaveSentences() {
    const FigureRun run = figureRun("", 3);
    const FigureChoice choice{.step = StepIndex(1)};
    QVERIFY(patchSizeSentence(patchNormPanel(run, choice)).starts_with("ΔW is largest"));
    QVERIFY(mapSentence(scaleMapPanel(run, StepIndex(1))).starts_with("Δm is largest"));
    QVERIFY(hiddenErrorSentence(layerErrorPanel({run}, choice)).starts_with("Off by"));
  }
};

EQUIPATCH_TEST(tst_panel_sentence)
#include "tst_panel_sentence.moc"
