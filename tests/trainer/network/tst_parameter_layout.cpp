// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/network/network.h"

#include <set>

#include "core/checkpoint/safetensors.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

class tst_parameter_layout : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// The golden checkpoint was written by Hugging Face's library.
  void parameterNamesMatchHuggingFace() {
    const auto golden =
        SafetensorsFile::open(test::data("golden/gemma3_text/model.safetensors"));
    std::set<std::string> expected;
    for (const auto& [name, tensor] : golden.tensors()) expected.insert(name);
    std::set<std::string> names;
    const ParameterLayout layout({.vocabulary = 9, .layers = 7});
    for (const Parameter& parameter : layout.parameters()) names.insert(parameter.name);
    QCOMPARE(names, expected);
  }

  void parametersAreContiguous() {
    const ParameterLayout layout(
        {.vocabulary = 9, .width = 8, .mlpWidth = 6, .layers = 2});
    std::int64_t next = 0;
    for (const Parameter& parameter : layout.parameters()) {
      QCOMPARE(parameter.offset, next);
      std::int64_t count = 1;
      for (const std::int64_t extent : parameter.shape) count *= extent;
      QCOMPARE(parameter.count, count);
      next += count;
    }
    QCOMPARE(layout.size(), next);
  }

  void projectionsOfOneInputAreAdjacent() {
    const ParameterLayout layout(
        {.vocabulary = 9, .width = 8, .mlpWidth = 6, .layers = 2});
    const auto find = [&](const std::string& name) {
      return *std::ranges::find(layout.parameters(), name, &Parameter::name);
    };
    const LayerRanges& layer = layout.layer(1);
    QCOMPARE(layer.queryKeyValue.offset,
             find("model.layers.1.self_attn.q_proj.weight").offset);
    const Parameter value = find("model.layers.1.self_attn.v_proj.weight");
    QCOMPARE(layer.queryKeyValue.offset + layer.queryKeyValue.rows * 8,
             value.offset + value.count);
    QCOMPARE(layer.gateUp.offset, find("model.layers.1.mlp.gate_proj.weight").offset);
    const Parameter up = find("model.layers.1.mlp.up_proj.weight");
    QCOMPARE(layer.gateUp.offset + layer.gateUp.rows * 8, up.offset + up.count);
    QCOMPARE(layer.gateUp.rows, 12);
  }
};

EQUIPATCH_TEST(tst_parameter_layout)
#include "tst_parameter_layout.moc"
