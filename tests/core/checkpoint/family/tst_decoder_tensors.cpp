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

constexpr LayerNormNames kNames{.attentionNorm = "in",
                                .attentionPostNorm = "after_attention",
                                .mlpNorm = "before_mlp",
                                .mlpPostNorm = "after_mlp"};

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
  void aPlainDecoder();
  void shapesFollowFromTheSpec();
  void eachOptionAddsItsTensors();
  void aTiedHeadIsNotNeededAndIgnored();
  void noNameComesTwice();
};

void tst_decoder_tensors::aPlainDecoder() {
  const auto bindings = byName(smallSpec());
  QCOMPARE(bindings.size(), std::size_t{3 + 2 * 9});
  QCOMPARE(bindings.at("embed").checkpointName, std::string("model.embed_tokens.weight"));
  QCOMPARE(bindings.at("final_norm").checkpointName, std::string("model.norm.weight"));
  QCOMPARE(bindings.at("head").checkpointName, std::string("lm_head.weight"));
  QCOMPARE(bindings.at("layers.1.W_q").checkpointName,
           std::string("model.layers.1.self_attn.q_proj.weight"));
  QCOMPARE(bindings.at("layers.1.mlp_norm").checkpointName,
           std::string("model.layers.1.before_mlp.weight"));
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

void tst_decoder_tensors::eachOptionAddsItsTensors() {
  const std::size_t plain = byName(smallSpec()).size();
  const auto expectAdded = [&](auto option, std::map<std::string, Shape> added) {
    ModelSpec spec = smallSpec();
    option(spec);
    const auto bindings = byName(spec);
    QCOMPARE(bindings.size(), plain + 2 * added.size());
    for (const auto& [name, shape] : added)
      QCOMPARE(bindings.at("layers.1." + name).shape, shape);
  };
  expectAdded([](ModelSpec& spec) { spec.queryKeyNorm = true; },
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

void tst_decoder_tensors::aTiedHeadIsNotNeededAndIgnored() {
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

void tst_decoder_tensors::noNameComesTwice() {
  ModelSpec spec = smallSpec();
  spec.queryKeyNorm = spec.attentionPostNorm = spec.mlpPostNorm = true;
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

EQUIPATCH_TEST(tst_decoder_tensors)
#include "tst_decoder_tensors.moc"
