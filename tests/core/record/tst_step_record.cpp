// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/step_record.h"

#include <algorithm>

#include "core/record/export/export_table.h"
#include "tests/core/record/random_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_step_record : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void matricesAreFoundByName();
  void omittingVectorsChangesNoOtherValues();
  void omittedVectorsTakeNoMemory();

 private:
  /// A random step that has vectors of both kinds, and its header.
  static StepRecord heavyStep(RunHeader& header);
};

/// Layers of one model may differ: dense ones have no router.
void tst_step_record::matricesAreFoundByName() {
  LayerRecord layer;
  layer.matrices = {{"router", 1.0, 0.1}, {"down", 2.0, 0.2}};
  QCOMPARE(layer.find("down")->norm, 2.0);
  QCOMPARE(layer.find("router")->relative, 0.1);
  QVERIFY(!layer.find("gate"));
}

StepRecord tst_step_record::heavyStep(RunHeader& header) {
  test::RandomRuns random(11);
  for (;;) {
    header = random.header();
    const StepRecord step = random.step(header, 3);
    const bool hasDelta = std::ranges::any_of(
        step.layers, [](const LayerRecord& layer) { return !layer.scaleDelta.empty(); });
    if (hasDelta && step.factors) return step;
  }
}

void tst_step_record::omittingVectorsChangesNoOtherValues() {
  RunHeader header;
  const StepRecord step = heavyStep(header);
  const auto light = withoutVectors(step);
  QVERIFY(stepRow(*light).cells == stepRow(step).cells);
  QCOMPARE(light->layers.size(), step.layers.size());
  for (std::size_t layer = 0; layer < step.layers.size(); ++layer)
    QVERIFY(layerRow(header, *light, layer).cells == layerRow(header, step, layer).cells);
  QVERIFY(light->contextual == step.contextual && light->patched == step.patched &&
          light->bare == step.bare);
}

void tst_step_record::omittedVectorsTakeNoMemory() {
  RunHeader header;
  const auto light = withoutVectors(heavyStep(header));
  QVERIFY(!light->factors);
  for (const LayerRecord& layer : light->layers)
    QCOMPARE(layer.scaleDelta.capacity(), std::size_t(0));
}

EQUIPATCH_TEST(tst_step_record)
#include "tst_step_record.moc"
