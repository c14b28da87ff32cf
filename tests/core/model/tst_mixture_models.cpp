// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <cmath>

#include "core/checkpoint/safetensors.h"
#include "core/model/transformer.h"
#include "tests/core/model/block_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

constexpr std::int64_t kModelWidth = 32, kExperts = 5, kExpertWidth = 20;
constexpr std::int64_t kHeads = 4, kHeadDim = 8;

/// A checkpoint's tensors by their names in transformers, in float64.
class StoredTensors {
 public:
  explicit StoredTensors(const std::filesystem::path& folder)
      : m_file(SafetensorsFile::open(folder / "model.safetensors")) {}

  Tensor operator()(const std::string& name) const {
    return storedTensor(m_file.tensors().at(name)).to(at::kDouble).clone();
  }
  Linear linear(const std::string& name) const {
    return {.weight = (*this)(name + ".weight"), .bias = {}};
  }
  /// @param shift 1 where the file holds m − 1
  NormWeights norm(const std::string& name, double shift) const {
    return {.m = (*this)(name + ".weight") + shift, .bias = {}};
  }
  FeedForwardWeights mlp(const std::string& name) const {
    return {.W_gate = linear(name + ".gate_proj"),
            .W_up = linear(name + ".up_proj"),
            .W_in = {},
            .W_down = linear(name + ".down_proj")};
  }
  /// Splits gate_up_proj [kExperts, 2 · kExpertWidth, kModelWidth], gate rows first.
  std::vector<FeedForwardWeights> experts(const std::string& name) const {
    const Tensor gateUp = (*this)(name + ".gate_up_proj");
    const Tensor down = (*this)(name + ".down_proj");
    std::vector<FeedForwardWeights> all;
    for (std::int64_t j = 0; j < kExperts; ++j)
      all.push_back({.W_gate = {.weight = gateUp[j].narrow(0, 0, kExpertWidth)},
                     .W_up = {.weight = gateUp[j].narrow(0, kExpertWidth, kExpertWidth)},
                     .W_in = {},
                     .W_down = {.weight = down[j]}});
    return all;
  }

 private:
  SafetensorsFile m_file;
};

/// The spec is written out in this test; the weights are those of the file.
struct OracleModel {
  ModelSpec spec;
  std::vector<LayerWeights> layers;
  Matrix embedding, head;
  NormWeights finalNorm;

  /// Returns resid_pre of each layer, the last block's output, and the logits.
  std::vector<Matrix> run(const std::vector<TokenId>& ids) const {
    Matrix x(static_cast<Eigen::Index>(ids.size()), kModelWidth);
    for (std::size_t row = 0; row < ids.size(); ++row)
      x.row(static_cast<Eigen::Index>(row)) =
          spec.embeddingScale * embedding.row(ids[row].value);
    std::vector<Matrix> states{x};
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
      ModelSpec own = spec;
      own.layers = {spec.layers[layer]};
      states.push_back(BlockOracle(own, layers[layer]).forward(states.back()).output);
    }
    const BlockOracle norms(spec, {});
    states.push_back(norms.norm(states.back(), finalNorm) * head.transpose());
    return states;
  }
};

/// Qwen 3.5 MoE; layer 1 has attention, layers 0 and 2 are recurrent.
OracleModel qwen35(const StoredTensors& stored) {
  OracleModel model;
  ModelSpec& spec = model.spec;
  spec.width = kModelWidth;
  spec.heads = kHeads;
  spec.kvHeads = 2;
  spec.headDim = kHeadDim;
  spec.norm.eps = 1e-6;
  spec.queryKeyNorm = QueryKeyNorm::PerHead;
  spec.attentionGate = true;
  spec.moe = MoeSpec{.experts = kExperts, .active = 2, .expertWidth = kExpertWidth};
  spec.moe->sharedWidth = 28;
  spec.deltaNet = DeltaNetSpec{
      .keyHeads = 2, .valueHeads = 4, .keyDim = 8, .valueDim = 6, .kernel = 4};
  for (std::int64_t index = 0; index < 3; ++index) {
    const std::string layer = "model.layers." + std::to_string(index) + ".";
    const bool recurrent = index != 1;
    LayerSpec own{.attentionScale = 1.0 / std::sqrt(8.0), .moe = true};
    own.recurrent = recurrent;
    if (!recurrent) own.rope = RopeSpec{.theta = 700.0, .dims = 4};
    spec.layers.push_back(own);
    LayerWeights weights;
    weights.attn_norm = stored.norm(layer + "input_layernorm", 1.0);
    weights.mlp_norm = stored.norm(layer + "post_attention_layernorm", 1.0);
    if (recurrent) {
      const std::string mixer = layer + "linear_attn.";
      weights.W_o = stored.linear(mixer + "out_proj");
      weights.delta = {
          .W_in = stored.linear(mixer + "in_proj_qkv"),
          .W_z = stored.linear(mixer + "in_proj_z"),
          .W_b = stored.linear(mixer + "in_proj_b"),
          .W_a = stored.linear(mixer + "in_proj_a"),
          .conv = stored(mixer + "conv1d.weight").select(1, 0).t().contiguous(),
          .decay = -at::exp(stored(mixer + "A_log")),
          .dt_bias = stored(mixer + "dt_bias"),
          .norm = stored(mixer + "norm.weight")};
    } else {
      const std::string attention = layer + "self_attn.";
      // Each head has first its query's rows, then its gate's.
      const Tensor query =
          stored(attention + "q_proj.weight").view({kHeads, 2, kHeadDim, kModelWidth});
      const auto part = [&](std::int64_t which) {
        return query.select(1, which).reshape({kHeads * kHeadDim, kModelWidth});
      };
      weights.W_q.weight = part(0);
      weights.W_attn_gate.weight = part(1);
      weights.W_k = stored.linear(attention + "k_proj");
      weights.W_v = stored.linear(attention + "v_proj");
      weights.W_o = stored.linear(attention + "o_proj");
      weights.q_norm = stored.norm(attention + "q_norm", 1.0);
      weights.k_norm = stored.norm(attention + "k_norm", 1.0);
    }
    weights.W_router = stored.linear(layer + "mlp.gate");
    weights.experts = stored.experts(layer + "mlp.experts");
    weights.W_shared_router = stored.linear(layer + "mlp.shared_expert_gate");
    weights.shared = stored.mlp(layer + "mlp.shared_expert");
    model.layers.push_back(weights);
  }
  model.embedding = toMatrix(stored("model.embed_tokens.weight"));
  model.head = toMatrix(stored("lm_head.weight"));
  model.finalNorm = stored.norm("model.norm", 1.0);
  return model;
}

/// Gemma 4 MoE. Layer 0 has a sliding window of 6. Layers 1 and 2 have full attention,
/// twice the head dimension and a single KV head; W_k also computes their values.
OracleModel gemma4(const StoredTensors& stored) {
  OracleModel model;
  ModelSpec& spec = model.spec;
  spec.width = kModelWidth;
  spec.heads = kHeads;
  spec.kvHeads = 2;
  spec.headDim = kHeadDim;
  spec.norm.eps = 1e-6;
  spec.queryKeyNorm = QueryKeyNorm::PerHead;
  spec.valueNorm = spec.layerScalar = true;
  spec.attentionPostNorm = spec.mlpPostNorm = true;
  spec.activation = Activation::GeluTanh;
  spec.embeddingScale = std::sqrt(32.0);
  spec.moe = MoeSpec{.experts = kExperts, .active = 2, .expertWidth = kExpertWidth};
  spec.moe->besideDense = true;
  for (std::int64_t index = 0; index < 3; ++index) {
    const std::string layer = "model.layers." + std::to_string(index) + ".";
    const bool full = index > 0;
    LayerSpec own{.attentionScale = 1.0, .moe = true};
    if (full) {
      own.headDim = 2 * kHeadDim;
      own.kvHeads = 1;
      own.valueIsKey = true;
      own.rope = RopeSpec{.theta = 1e6, .dims = 2 * kHeadDim};
      own.rope->scaling = RopeScaling::Proportional;
      own.rope->turningPairs = 2;  // a quarter of the 8 pairs
    } else {
      own.window = 6;
      own.rope = RopeSpec{.theta = 1e4, .dims = kHeadDim};
    }
    spec.layers.push_back(own);
    const auto norm = [&](const char* name) { return stored.norm(layer + name, 0.0); };
    LayerWeights weights;
    weights.attn_norm = norm("input_layernorm");
    weights.attn_post_norm = norm("post_attention_layernorm");
    weights.mlp_norm = norm("pre_feedforward_layernorm");
    weights.mlp_post_norm = norm("post_feedforward_layernorm");
    weights.experts_norm = norm("pre_feedforward_layernorm_2");
    weights.dense_post_norm = norm("post_feedforward_layernorm_1");
    weights.experts_post_norm = norm("post_feedforward_layernorm_2");
    weights.q_norm = norm("self_attn.q_norm");
    weights.k_norm = norm("self_attn.k_norm");
    weights.W_q = stored.linear(layer + "self_attn.q_proj");
    weights.W_k = stored.linear(layer + "self_attn.k_proj");
    if (!full) weights.W_v = stored.linear(layer + "self_attn.v_proj");
    weights.W_o = stored.linear(layer + "self_attn.o_proj");
    weights.mlp = stored.mlp(layer + "mlp");
    weights.experts = stored.experts(layer + "experts");
    weights.W_router = stored.linear(layer + "router.proj");
    weights.router_scale = stored(layer + "router.scale");
    weights.expert_scale = stored(layer + "router.per_expert_scale");
    weights.layer_scalar = stored(layer + "layer_scalar");
    model.layers.push_back(weights);
  }
  model.embedding = toMatrix(stored("model.embed_tokens.weight"));
  model.head = model.embedding;
  model.finalNorm = stored.norm("model.norm", 0.0);
  return model;
}

struct States final : BlockHooks {
  std::vector<Matrix> outputs;
  void hookOutput(const HookedBlock&, const Tensor& output) override {
    outputs.push_back(toMatrix(output));
  }
};

}  // namespace

/// These MoE models have no golden checkpoint. The reference is their formulas, computed
/// in double precision from the tensors that a file holds under transformers' names.
class tst_mixture_models : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void layersAndLogitsEqualTheFormulas_data();
  void layersAndLogitsEqualTheFormulas();
};

void tst_mixture_models::layersAndLogitsEqualTheFormulas_data() {
  QTest::addColumn<QString>("family");
  QTest::addColumn<QString>("config");
  QTest::newRow("Qwen 3.5") << "qwen3_5_moe_text"
                            << R"({"rope_parameters": {"rope_type": "default",
                                   "rope_theta": 700.0, "partial_rotary_factor": 0.5}})";
  QTest::newRow("Gemma 4") << "gemma4_mixture"
                           << "{}";
}

void tst_mixture_models::layersAndLogitsEqualTheFormulas() {
  const c10::InferenceMode inference;
  QFETCH(QString, family);
  QFETCH(QString, config);
  const QTemporaryDir folder;
  const auto path = writeTinyCheckpoint(
      std::filesystem::path(folder.path().toStdString()) / "model",
      {.family = family.toStdString(), .moreConfig = config.toStdString()});
  SilentProgress silent;
  const auto transformer =
      Transformer::load(Checkpoint::open(path), Arithmetic(DType::F64, at::kCPU), silent);
  std::vector<TokenId> ids;
  for (const std::int64_t id : {2, 7, 30, 4, 51, 9, 12, 33, 7, 60}) ids.emplace_back(id);
  KvCache cache = transformer->makeCache(16);
  States states;
  const Tensor last =
      transformer->prefill(ids, cache, states, transformer->arithmetic(), silent);
  const Matrix logits = toMatrix(transformer->logits(last, transformer->arithmetic()));

  const StoredTensors stored(path);
  const OracleModel oracle = family == "gemma4_mixture" ? gemma4(stored) : qwen35(stored);
  const std::vector<Matrix> expected = oracle.run(ids);
  QCOMPARE(states.outputs.size(), std::size_t{3});
  for (std::size_t layer = 0; layer < 3; ++layer)
    QVERIFY2(distance(states.outputs[layer], expected[layer + 1]) < 1e-12,
             qPrintable(QString("layer %1: %2")
                            .arg(layer)
                            .arg(distance(states.outputs[layer], expected[layer + 1]))));
  QVERIFY(distance(logits, expected.back()) < 1e-11);
  for (std::size_t layer = 0; layer < 3; ++layer)
    QVERIFY(distance(expected[layer + 1], expected[layer]) > 0.1);
}

EQUIPATCH_TEST(tst_mixture_models)
#include "tst_mixture_models.moc"
