// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/decoder_tensors.h"

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

using Shape = std::vector<std::int64_t>;

ModelSpec smallSpec() {
  ModelSpec spec;
  spec.vocabulary = 11;
  spec.width = 6;
  spec.mlpWidth = 10;
  spec.heads = 4;
  spec.kvHeads = 2;
  spec.headDim = 8;
  spec.layers.resize(2);
  return spec;
}

const DecoderNames kNames{.attentionNorm = "in",
                          .attentionPostNorm = "after_attention",
                          .mlpNorm = "before_mlp",
                          .mlpPostNorm = "after_mlp",
                          .in = "mlp.fc1"};

std::map<std::string, TensorBinding> byName(const ModelSpec& spec) {
  std::map<std::string, TensorBinding> bindings;
  for (const TensorBinding& binding : decoderTensors(spec, kNames))
    bindings[binding.name] = binding;
  return bindings;
}

}  // namespace

class tst_decoder_tensors : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void weightsAreBoundToStoredNames();
  void shapesFollowFromTheSpec();
  void optionsAddTheirTensorsToEachLayer();
  void aTiedHeadIsIgnoredAndNotBound();
  void queryAndKeyNormShapesFollowTheirKind();
  void onlyTheSpecsNormsAndBiasesAreBound();
  void aPlainMlpHasNoGate();
  void onlyMoeLayersHaveExperts();
  void noTensorNameComesTwice();
  void tensorNamesGetTheirLayersPrefix();
  void aBiasIsSplitLikeItsMatrix();
  void normBiasesAreListedIfTheModelHasThem();
  void aTiedHeadBindsOnlyItsBias();
};

void tst_decoder_tensors::weightsAreBoundToStoredNames() {
  const auto bindings = byName(smallSpec());
  QCOMPARE(bindings.size(), std::size_t{3 + 2 * 9});
  QCOMPARE(bindings.at("embed").checkpointName, std::string("embed_tokens.weight"));
  QCOMPARE(bindings.at("final_norm").checkpointName, std::string("norm.weight"));
  QCOMPARE(bindings.at("head").checkpointName, std::string("lm_head.weight"));
  QCOMPARE(bindings.at("layers.1.W_q").checkpointName,
           std::string("layers.1.self_attn.q_proj.weight"));
  QCOMPARE(bindings.at("layers.1.mlp_norm").checkpointName,
           std::string("layers.1.before_mlp.weight"));
}

void tst_decoder_tensors::shapesFollowFromTheSpec() {
  const auto bindings = byName(smallSpec());
  QCOMPARE(bindings.at("embed").shape, (Shape{11, 6}));
  QCOMPARE(bindings.at("head").shape, (Shape{11, 6}));
  QCOMPARE(bindings.at("layers.0.W_q").shape, (Shape{32, 6}));
  QCOMPARE(bindings.at("layers.0.W_k").shape, (Shape{16, 6}));
  QCOMPARE(bindings.at("layers.0.W_v").shape, (Shape{16, 6}));
  QCOMPARE(bindings.at("layers.0.W_o").shape, (Shape{6, 32}));
  QCOMPARE(bindings.at("layers.0.W_gate").shape, (Shape{10, 6}));
  QCOMPARE(bindings.at("layers.0.W_up").shape, (Shape{10, 6}));
  QCOMPARE(bindings.at("layers.0.W_down").shape, (Shape{6, 10}));
  QCOMPARE(bindings.at("layers.0.attn_norm").shape, (Shape{6}));
}

void tst_decoder_tensors::optionsAddTheirTensorsToEachLayer() {
  const std::size_t plain = byName(smallSpec()).size();
  const auto expectAdded = [&](auto option, std::map<std::string, Shape> added) {
    ModelSpec spec = smallSpec();
    option(spec);
    const auto bindings = byName(spec);
    QCOMPARE(bindings.size(), plain + 2 * added.size());
    for (const auto& [name, shape] : added)
      QCOMPARE(bindings.at("layers.1." + name).shape, shape);
  };
  expectAdded([](ModelSpec& spec) { spec.queryKeyNorm = QueryKeyNorm::PerHead; },
              {{"q_norm", {8}}, {"k_norm", {8}}});
  expectAdded([](ModelSpec& spec) { spec.attentionPostNorm = true; },
              {{"attn_post_norm", {6}}});
  expectAdded([](ModelSpec& spec) { spec.mlpPostNorm = true; }, {{"mlp_post_norm", {6}}});
  expectAdded([](ModelSpec& spec) { spec.queryKeyValueBias = true; },
              {{"b_q", {32}}, {"b_k", {16}}, {"b_v", {16}}});
  expectAdded([](ModelSpec& spec) { spec.attentionOutBias = true; }, {{"b_o", {6}}});
  expectAdded([](ModelSpec& spec) { spec.mlpBias = true; },
              {{"b_gate", {10}}, {"b_up", {10}}, {"b_down", {6}}});
}

void tst_decoder_tensors::aTiedHeadIsIgnoredAndNotBound() {
  ModelSpec spec = smallSpec();
  const auto ignoresHead = [&] {
    const auto suffixes = decoderIgnoredSuffixes(spec);
    return std::count(suffixes.begin(), suffixes.end(), "lm_head.weight") == 1;
  };
  QVERIFY(!ignoresHead());
  spec.tiedHead = true;
  QVERIFY(ignoresHead());
  QVERIFY(!byName(spec).contains("head"));
}

void tst_decoder_tensors::queryAndKeyNormShapesFollowTheirKind() {
  ModelSpec spec = smallSpec();
  spec.queryKeyNorm = QueryKeyNorm::OwnPerHead;
  QCOMPARE(byName(spec).at("layers.0.q_norm").shape, (Shape{4, 8}));
  QCOMPARE(byName(spec).at("layers.0.k_norm").shape, (Shape{2, 8}));
  spec.queryKeyNorm = QueryKeyNorm::WholeWidth;
  QCOMPARE(byName(spec).at("layers.0.q_norm").shape, (Shape{32}));
  QCOMPARE(byName(spec).at("layers.0.k_norm").shape, (Shape{16}));
}

void tst_decoder_tensors::onlyTheSpecsNormsAndBiasesAreBound() {
  ModelSpec spec = smallSpec();
  spec.attentionPreNorm = spec.mlpPreNorm = false;
  QVERIFY(!byName(spec).contains("layers.0.attn_norm"));
  QVERIFY(!byName(spec).contains("layers.0.mlp_norm"));
  spec = smallSpec();
  spec.mlpInput = MlpInput::AttentionInput;
  spec.norm.bias = spec.headBias = true;
  const auto bindings = byName(spec);
  QVERIFY(!bindings.contains("layers.0.mlp_norm"));
  QCOMPARE(bindings.at("layers.0.attn_norm.bias").checkpointName,
           std::string("layers.0.in.bias"));
  QCOMPARE(bindings.at("final_norm.bias").shape, (Shape{6}));
  QCOMPARE(bindings.at("b_head").shape, (Shape{11}));
}

void tst_decoder_tensors::aPlainMlpHasNoGate() {
  ModelSpec spec = smallSpec();
  spec.mlpForm = MlpForm::Plain;
  spec.mlpBias = true;
  const auto bindings = byName(spec);
  QCOMPARE(bindings.at("layers.0.W_in").checkpointName,
           std::string("layers.0.mlp.fc1.weight"));
  QCOMPARE(bindings.at("layers.0.b_in").shape, (Shape{10}));
  QVERIFY(!bindings.contains("layers.0.W_gate") && !bindings.contains("layers.0.W_up"));
}

/// Experts lack the biases of the dense MLP.
void tst_decoder_tensors::onlyMoeLayersHaveExperts() {
  ModelSpec spec = smallSpec();
  spec.mlpBias = true;
  spec.moe = MoeSpec{.experts = 3, .active = 1, .expertWidth = 5, .sharedWidth = 7};
  spec.layers[1].moe = true;
  const auto bindings = byName(spec);
  QVERIFY(bindings.contains("layers.0.b_gate"));
  QVERIFY(!bindings.contains("layers.0.W_router"));
  QVERIFY(!bindings.contains("layers.1.W_gate"));
  QCOMPARE(bindings.at("layers.1.W_router").shape, (Shape{3, 6}));
  QCOMPARE(bindings.at("layers.1.experts.2.W_gate").shape, (Shape{5, 6}));
  QCOMPARE(bindings.at("layers.1.experts.2.W_down").shape, (Shape{6, 5}));
  QVERIFY(!bindings.contains("layers.1.experts.2.b_gate"));
  QCOMPARE(bindings.at("layers.1.shared.W_up").shape, (Shape{7, 6}));
  QCOMPARE(bindings.at("layers.1.W_shared_router").shape, (Shape{1, 6}));
  spec.moe->sharedWidth = 0;
  QVERIFY(!byName(spec).contains("layers.1.shared.W_up"));
}

void tst_decoder_tensors::noTensorNameComesTwice() {
  ModelSpec spec = smallSpec();
  spec.queryKeyNorm = QueryKeyNorm::WholeWidth;
  spec.attentionPostNorm = spec.mlpPostNorm = true;
  spec.norm.bias = spec.headBias = true;
  spec.moe = MoeSpec{.experts = 3, .active = 1, .expertWidth = 5, .sharedWidth = 7};
  spec.layers[1].moe = true;
  spec.queryKeyValueBias = spec.attentionOutBias = spec.mlpBias = true;
  std::set<std::string> names;
  std::set<std::string> checkpointNames;
  const auto tensors = decoderTensors(spec, kNames);
  for (const TensorBinding& binding : tensors) {
    names.insert(binding.name);
    checkpointNames.insert(binding.checkpointName);
  }
  QCOMPARE(names.size(), tensors.size());
  QCOMPARE(checkpointNames.size(), tensors.size());
}

void tst_decoder_tensors::tensorNamesGetTheirLayersPrefix() {
  const ModelSpec spec;
  TensorList list(spec, "h.");
  list.add("embed", "wte.weight", {5, 2});
  list.enterLayer(3);
  list.linear({.where = "experts.1.",
               .what = "up",
               .stored = "e.1.w",
               .outputs = 4,
               .inputs = 2});
  list.leaveLayers();
  list.add("positions", "wpe.weight", {7, 2});
  const auto tensors = list.take();
  QCOMPARE(tensors.size(), std::size_t{3});
  QCOMPARE(tensors[0].checkpointName, std::string("wte.weight"));
  QCOMPARE(tensors[1].name, std::string("layers.3.experts.1.W_up"));
  QCOMPARE(tensors[1].checkpointName, std::string("h.3.e.1.w.weight"));
  QCOMPARE(tensors[1].shape, (Shape{4, 2}));
  QCOMPARE(tensors[2].name, std::string("positions"));
}

/// The bias itself is not transposed.
void tst_decoder_tensors::aBiasIsSplitLikeItsMatrix() {
  const ModelSpec spec;
  TensorList list(spec, "h.");
  list.linear({.what = "k",
               .stored = "attn",
               .outputs = 4,
               .inputs = 2,
               .bias = true,
               .part = {.transposed = true, .groups = 2, .parts = 3, .index = 1}});
  const auto tensors = list.take();
  QCOMPARE(tensors[1].name, std::string("b_k"));
  QCOMPARE(tensors[1].checkpointName, std::string("attn.bias"));
  QCOMPARE(tensors[1].shape, (Shape{4}));
  QVERIFY((tensors[1].part == TensorPart{.groups = 2, .parts = 3, .index = 1}));
  QCOMPARE(storedShape(tensors[0]), (Shape{2, 12}));
  QCOMPARE(storedShape(tensors[1]), (Shape{12}));
}

void tst_decoder_tensors::normBiasesAreListedIfTheModelHasThem() {
  ModelSpec spec;
  TensorList without(spec, "h.");
  without.norm("final_norm", "ln_f", {2});
  QCOMPARE(without.take().size(), std::size_t{1});
  spec.norm.bias = true;
  TensorList with(spec, "h.");
  with.norm("final_norm", "ln_f", {2});
  const auto tensors = with.take();
  QCOMPARE(tensors[1].name, std::string("final_norm.bias"));
  QCOMPARE(tensors[1].checkpointName, std::string("ln_f.bias"));
}

void tst_decoder_tensors::aTiedHeadBindsOnlyItsBias() {
  ModelSpec spec;
  spec.vocabulary = 5;
  spec.width = 2;
  const auto head = [&] {
    TensorList list(spec, "h.");
    list.head("lm_head");
    return list.take();
  };
  QCOMPARE(head().size(), std::size_t{1});
  QVERIFY(head()[0].scope == TensorScope::Head);
  QCOMPARE(head()[0].shape, (Shape{5, 2}));
  spec.headBias = true;
  QCOMPARE(head()[1].name, std::string("b_head"));
  QCOMPARE(head()[1].checkpointName, std::string("lm_head.bias"));
  spec.tiedHead = true;
  QCOMPARE(head().size(), std::size_t{1});
  spec.headBias = false;
  QVERIFY(head().empty());
}

EQUIPATCH_TEST(tst_decoder_tensors)
#include "tst_decoder_tensors.moc"
