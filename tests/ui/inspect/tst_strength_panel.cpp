// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/strength_panel.h"

#include <QFocusEvent>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

namespace {

struct PanelFixture {
  test::QuietPlatform quiet;
  test::SyntheticEngine engine;
  Theme theme;
  RunModel model;
  Selection selection;
  SharedWorker worker;
  RunController controller{engine, model, worker};
  StrengthProbe probe{engine};
  StrengthPanel panel{{model, selection, controller, probe, theme}};
  PatchStrength strength = {};

  PanelFixture() {
    QObject::connect(&model, &RunModel::stepsAppended, &selection,
                     [this] { selection.setStepCount(model.stepCount()); });
  }

  void run(int steps = 5) {
    RunSettings settings;
    settings.model.folder = "/models/synthetic";
    settings.prompt.text = "Once upon a time";
    settings.run.steps = steps;
    settings.run.strength = strength;
    controller.run(settings);
    QTRY_COMPARE(model.stepCount(), steps);
    QTRY_VERIFY(controller.phase() == RunController::Phase::Idle);
  }

  template <typename Widget>
  Widget* find(const char* name) const {
    return panel.findChild<Widget*>(QString::fromLatin1(name));
  }
  /// Types a strength without pressing Return.
  void type(double alpha) const {
    auto* field = find<QDoubleSpinBox>("alpha");
    field->selectAll();
    for (const QChar key : QLocale().toString(alpha, 'f', 1))
      QTest::keyClick(field->findChild<QLineEdit*>(), key.toLatin1());
  }
  bool controlsShown() const { return find<QSlider>("strength")->isVisibleTo(&panel); }
};

StrengthReading reading(double alpha, double linf, double probability, bool match) {
  return {.strength = {.alpha = alpha, .layers = {}},
          .choices = {},
          .distance = {linf, linf / 20.0, 0.0},
          .probability = probability,
          .match = match};
}

const std::vector<StrengthReading> kCurve{reading(0.0, 9.0, 0.01, false),
                                          reading(0.5, 4.0, 0.3, true),
                                          reading(1.0, 0.0, 0.8, true)};

}  // namespace

class tst_strength_panel : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void theHintSaysWhyControlsAreHidden();
  void theCurveIsComputedAutomatically();
  void theSliderComputesAnotherStrength();
  void aPartialPatchRunAlsoShowsTheWholePatch();
  void overflowingLogitsAreReportedAsNotFinite();
  void aStrengthIsNotFormattedWhileItIsTyped();
  void aTypedStrengthAppliesWhenItIsEntered();
  void settingAStrengthDiscardsATypedOne();
  void layersSwitchedOffAreLeftOut();
  void switchingAllLayersOffIsTheBarePass();
  void selectingAStepComputesItsCurve();
  void theLoadButtonRequestsTheModelOfTheRun();
  void aFailureIsReported();
  void progressOfAnotherStepIsIgnored();

 private Q_SLOTS:
  void drawsAPointForEachStrength();
  void probabilitiesHaveAnAxisOfTheirOwn();
  void theTableHasARowForEachStrength();
  void aClickPicksAStrength();
  void withoutACurveTheChartIsEmpty();
};

void tst_strength_panel::theHintSaysWhyControlsAreHidden() {
  PanelFixture f;
  QVERIFY(f.panel.hint().startsWith(QStringLiteral("Here you can compute a step again")));
  QVERIFY(!f.controlsShown());
  RunSettings settings;
  settings.model.folder = "/models/synthetic";
  settings.prompt.text = "Once";
  settings.run.steps = 100000;
  f.controller.run(settings);
  QTRY_VERIFY(f.model.stepCount() > 2);
  QVERIFY(f.panel.hint().startsWith(QStringLiteral("Pause the run")));
  f.controller.pause();
  QTRY_VERIFY(f.controller.phase() == RunController::Phase::Paused);
  QVERIFY(f.controlsShown());
  f.controller.load({.folder = "/models/other"});
  QVERIFY(f.panel.hint().startsWith(QStringLiteral("Wait for the load")));
  f.controller.stop();
  QVERIFY(f.panel.hint().startsWith(QStringLiteral("Wait for the stop")));
}

void tst_strength_panel::theCurveIsComputedAutomatically() {
  PanelFixture f;
  f.run();
  QTRY_COMPARE(f.panel.chart().series(0)->dataCount(), 16);
  QCOMPARE(f.panel.chart().series(0)->dataMainKey(0), 0.0);
  QCOMPARE(f.panel.chart().series(0)->dataMainKey(15), StrengthChart::kMostAlpha);
  QVERIFY(f.panel.chart().series(QStringLiteral("tokens differ"))->dataCount() > 0);
  QVERIFY(!f.panel.shown());  // the record already has strength 1
  QVERIFY(f.panel.chart().note().startsWith(QStringLiteral("✓")));
}

void tst_strength_panel::theSliderComputesAnotherStrength() {
  PanelFixture f;
  f.run();
  QSignalSpy shown(&f.panel, &StrengthPanel::shownChanged);
  f.find<QSlider>("strength")->setValue(25);
  QTRY_VERIFY(f.panel.shown());
  QCOMPARE(f.panel.shown()->strength.alpha, 0.25);
  QVERIFY(f.panel.shown()->strength.layers.empty());
  QCOMPARE(f.find<QDoubleSpinBox>("alpha")->value(), 0.25);
  QVERIFY(f.panel.chart().note().startsWith(QStringLiteral("✗")));
  QVERIFY(shown.count() > 0);
  f.find<QDoubleSpinBox>("alpha")->setValue(0.5);
  QTRY_VERIFY(f.panel.shown() && f.panel.shown()->strength.alpha == 0.5);
  f.find<QPushButton>("strengthReset")->click();
  QVERIFY(!f.panel.shown());
}

void tst_strength_panel::aPartialPatchRunAlsoShowsTheWholePatch() {
  PanelFixture f;
  f.strength = {.alpha = 0.5, .layers = {}};
  f.run();
  QTRY_VERIFY(f.panel.shown());
  QCOMPARE(f.panel.shown()->strength.alpha, 1.0);
  f.find<QSlider>("strength")->setValue(50);
  QTRY_COMPARE(f.panel.chart().series(0)->dataCount(), 16);
  QVERIFY(!f.panel.shown());  // the record already has strength 0.5
}

void tst_strength_panel::overflowingLogitsAreReportedAsNotFinite() {
  PanelFixture f;
  f.engine.replays->overflow = 1.3;
  f.run();
  f.find<QSlider>("strength")->setValue(130);
  QTRY_VERIFY(f.panel.shown());
  QVERIFY(f.panel.chart().note().contains(QStringLiteral("not finite")));
}

void tst_strength_panel::aStrengthIsNotFormattedWhileItIsTyped() {
  PanelFixture f;
  f.run();
  auto* field = f.find<QDoubleSpinBox>("alpha");
  auto* line = field->findChild<QLineEdit*>();
  for (const bool withPrefix : {false, true}) {
    f.find<QPushButton>("strengthReset")->click();
    withPrefix ? line->selectAll() : field->selectAll();
    const QString typed = QLocale().toString(0.95, 'f', 2);
    for (const QChar key : typed) QTest::keyClick(line, key.toLatin1());
    QVERIFY2(line->text().endsWith(typed), qPrintable(line->text()));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(f.panel.alpha(), 0.95);
    QCOMPARE(line->text(), QStringLiteral("α ") + typed);
  }
  f.find<QSlider>("strength")->setValue(25);
  QCOMPARE(field->value(), 0.25);
}

/// After the first key of 0.9 the field contains 0, which the user does not mean.
void tst_strength_panel::aTypedStrengthAppliesWhenItIsEntered() {
  PanelFixture f;
  f.run();
  auto* field = f.find<QDoubleSpinBox>("alpha");
  const QSignalSpy moved(f.find<QSlider>("strength"), &QSlider::valueChanged);
  f.type(0.9);
  QCOMPARE(moved.count(), 0);
  QCOMPARE(f.panel.alpha(), 1.0);
  QTest::keyClick(field, Qt::Key_Return);
  QCOMPARE(moved.count(), 1);
  QCOMPARE(f.panel.alpha(), 0.9);
  f.type(0.4);
  QFocusEvent leaves(QEvent::FocusOut);
  QCoreApplication::sendEvent(field, &leaves);
  QCOMPARE(f.panel.alpha(), 0.4);
  QTest::keyClick(field, Qt::Key_Up);
  QCOMPARE(f.panel.alpha(), 0.45);
  f.type(0.7);
  QTest::keyClick(field, Qt::Key_Down);  // steps from the typed value
  QCOMPARE(f.panel.alpha(), 0.65);
}

void tst_strength_panel::settingAStrengthDiscardsATypedOne() {
  PanelFixture f;
  f.run();
  f.type(0.9);
  f.panel.setPercent(100);  // the current value
  QFocusEvent leaves(QEvent::FocusOut);
  QCoreApplication::sendEvent(f.find<QDoubleSpinBox>("alpha"), &leaves);
  QCOMPARE(f.panel.alpha(), 1.0);
}

void tst_strength_panel::layersSwitchedOffAreLeftOut() {
  PanelFixture f;
  f.run();
  QTRY_COMPARE(f.panel.chart().series(0)->dataCount(), 16);
  f.panel.layers().setRange(2, 3);
  // The readings with all layers were dropped.
  QCOMPARE(f.panel.chart().series(0)->dataCount(), 0);
  QTRY_VERIFY(f.panel.shown());
  QVERIFY(f.panel.shown()->strength.layers == (std::vector<std::int64_t>{2, 3}));
  QCOMPARE(f.panel.shown()->distance.linf, 4.0 + 1e-4);
  QTRY_COMPARE(f.panel.chart().series(0)->dataCount(), 16);
}

void tst_strength_panel::switchingAllLayersOffIsTheBarePass() {
  PanelFixture f;
  f.run();
  f.panel.layers().setRange(-1, -1);
  QTRY_VERIFY(f.panel.shown());
  QVERIFY(f.panel.shown()->strength == (PatchStrength{.alpha = 0.0, .layers = {}}));
  QTRY_VERIFY(!f.probe.busy());
  QCOMPARE(f.panel.chart().series(0)->dataCount(), 1);
}

void tst_strength_panel::selectingAStepComputesItsCurve() {
  PanelFixture f;
  f.run();
  QTRY_COMPARE(f.panel.chart().series(0)->dataCount(), 16);
  const int opened = f.engine.replays->opened;
  f.selection.selectStep(1);
  QCOMPARE(f.panel.chart().series(0)->dataCount(), 0);
  QTRY_COMPARE(f.panel.chart().series(0)->dataCount(), 16);
  QVERIFY(f.engine.replays->opened > opened);
}

void tst_strength_panel::theLoadButtonRequestsTheModelOfTheRun() {
  PanelFixture f;
  f.run();
  SessionRequest other;
  other.folder = "/models/other";
  f.controller.load(other);
  QTRY_VERIFY(f.controller.loaded() &&
              f.controller.phase() == RunController::Phase::Idle);
  QVERIFY(!f.controlsShown());
  QVERIFY(f.panel.hint().contains(QStringLiteral("synthetic in bfloat16")));
  QSignalSpy requested(&f.panel, &StrengthPanel::modelRequested);
  f.find<QPushButton>("strengthLoad")->click();
  QCOMPARE(requested.count(), 1);
}

void tst_strength_panel::aFailureIsReported() {
  PanelFixture f;
  f.engine.replays->failure = "The step cannot be taken again.";
  f.run();
  QTRY_COMPARE(f.panel.hint(), QStringLiteral("The step cannot be taken again."));
  QVERIFY(f.find<QLabel>("strengthHint")->isVisibleTo(&f.panel));
  QTRY_VERIFY(!f.probe.busy());
  f.engine.replays->failure.clear();
  f.find<QSlider>("strength")->setValue(50);
  QTRY_VERIFY(f.panel.shown());
  QVERIFY(!f.find<QLabel>("strengthHint")->isVisibleTo(&f.panel));
}

/// The probe may still report progress of a step that is no longer selected.
void tst_strength_panel::progressOfAnotherStepIsIgnored() {
  PanelFixture f;
  f.run();
  const auto* text = f.find<QLabel>("chartEmpty");
  const auto report = [&](const QString& label) {
    Q_EMIT f.probe.progressed(0.5, label);
  };
  f.find<QSlider>("strength")->setValue(25);
  report(QStringLiteral("This step"));
  QCOMPARE(text->text(), QStringLiteral("This step…"));
  f.selection.selectStep(1);  // the panel requests this step's readings later
  QVERIFY(!text->text().startsWith(QStringLiteral("This step")));
  report(QStringLiteral("The step before"));
  QVERIFY(text->text() != QStringLiteral("The step before…"));
  Q_EMIT f.probe.failed(QStringLiteral("The step before cannot be taken again."));
  QVERIFY(!f.panel.hint().contains(QStringLiteral("The step before")));
  f.find<QSlider>("strength")->setValue(50);
  report(QStringLiteral("This step"));
  Q_EMIT f.probe.failed(QStringLiteral("The step cannot be taken again."));
  QVERIFY(text->text().isEmpty());
}

void tst_strength_panel::drawsAPointForEachStrength() {
  const Theme theme;
  StrengthChart chart(theme);
  chart.show(kCurve);
  QCOMPARE(chart.series(QStringLiteral("L∞"))->dataCount(), 3);
  QCOMPARE(chart.series(QStringLiteral("TVD"))->dataCount(), 3);
  QCOMPARE(chart.series(QStringLiteral("tokens differ"))->dataCount(), 1);
  QCOMPARE(chart.series(QStringLiteral("tokens differ"))->dataMainKey(0), 0.0);
  QCOMPARE(chart.series(QStringLiteral("L∞"))->dataMainValue(1), 4.0);
  QVERIFY(chart.plot().yAxis->range().contains(9.0));
}

void tst_strength_panel::probabilitiesHaveAnAxisOfTheirOwn() {
  const Theme theme;
  StrengthChart chart(theme);
  chart.show(kCurve);
  QCOMPARE(chart.series(QStringLiteral("probability"))->valueAxis(), chart.plot().yAxis2);
  QVERIFY(chart.plot().yAxis2->range().contains(1.0));
  QVERIFY(chart.plot().yAxis2->range().contains(0.0));
}

void tst_strength_panel::theTableHasARowForEachStrength() {
  const Theme theme;
  StrengthChart chart(theme);
  chart.show(kCurve);
  chart.showTable(true);
  QCOMPARE(chart.table().copiedText(),
           QStringLiteral("α\tL∞\tTVD\tprobability\ttokens differ\n"
                          "0\t9\t0.45\t0.01\t1\n"
                          "0.5\t4\t0.2\t0.3\t0\n"
                          "1\t0\t0\t0.8\t0\n"));
}

void tst_strength_panel::aClickPicksAStrength() {
  const test::QuietPlatform quiet;
  const Theme theme;
  StrengthChart chart(theme);
  QSignalSpy picked(&chart, &StrengthChart::alphaPicked);
  Q_EMIT chart.clicked(0.7, 1.0);
  Q_EMIT chart.clicked(1.53, 1.0);  // the axis extends beyond kMostAlpha
  QCOMPARE(picked[0][0].toDouble(), 0.7);
  QCOMPARE(picked[1][0].toDouble(), StrengthChart::kMostAlpha);
}

void tst_strength_panel::withoutACurveTheChartIsEmpty() {
  const Theme theme;
  StrengthChart chart(theme);
  chart.show(kCurve);
  QVERIFY(chart.isDataVisible());
  chart.show({});
  QVERIFY(!chart.isDataVisible());
}

EQUIPATCH_TEST(tst_strength_panel)
#include "tst_strength_panel.moc"
