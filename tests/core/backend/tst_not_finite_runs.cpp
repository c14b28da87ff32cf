// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include "core/backend/torch_backend.h"
#include "core/record/verdict.h"
#include "tests/core/backend/steps_of.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::tokensOf;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr DType kDtypes[] = {DType::F64, DType::F32, DType::BF16, DType::F16};

/// Changes the `values` of the tensor `name` before the checkpoint is opened.
using Change = std::function<void(const std::string& name, std::vector<float>& values)>;

class ChangedModel {
 public:
  ChangedModel(const test::TinyModel& model, const Change& change)
      : m_path(test::writeTinyCheckpoint(
            std::filesystem::path(m_folder.path().toStdString()) / "changed", model)) {
    test::changeTensors(m_path, change);
  }

  std::shared_ptr<const Session> open(DType dtype) const {
    return test::openSession({.folder = m_path, .dtype = dtype});
  }

 private:
  QTemporaryDir m_folder;
  std::filesystem::path m_path;
};

Change scaledBy(float factor, const std::string& part = "") {
  return [=](const std::string& name, std::vector<float>& values) {
    if (name.find(part) == std::string::npos) return;
    for (float& value : values) value *= factor;
  };
}

std::vector<std::shared_ptr<const StepRecord>> runOf(
    std::shared_ptr<const Session> session, RunRequest request) {
  request.prompt = tokensOf({5, 9, 11, 7});
  request.ignoreEndOfSequence = true;
  return test::stepsOf(std::move(session), std::move(request));
}

std::vector<PatchOptions> allOptions() {
  std::vector<PatchOptions> all;
  for (const Method method : {Method::Balanced, Method::Direct, Method::Stable})
    for (const Loop loop : {Loop::Closed, Loop::Half, Loop::Open})
      for (const Application application :
           {Application::Factored, Application::Materialised})
        all.push_back({.method = method, .loop = loop, .application = application});
  return all;
}

bool finiteNumbers(const StepRecord& step) {
  bool finite = std::isfinite(step.patchedDistance.linf) && std::isfinite(step.margin) &&
                std::isfinite(step.auditDistance->linf);
  for (const LayerRecord& layer : step.layers) {
    for (const double number : {layer.scaleNorm, layer.biasNorm, layer.effect,
                                layer.zNorm, layer.zCosine, layer.hiddenError})
      finite = finite && std::isfinite(number);
    for (const MatrixPatchNorm& matrix : layer.matrices)
      finite = finite && std::isfinite(matrix.norm) && std::isfinite(matrix.relative);
  }
  return finite;
}

}  // namespace

/// NaN or infinity stops a run with an error that names the place. If only the patched
/// pass has them, the step is a mismatch.
class tst_not_finite_runs : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aDamagedWeightStopsTheRun_data();
  void aDamagedWeightStopsTheRun();
  void overflowOfSquaresStopsTheRun();
  void overflowInARecurrentLayerIsLocated();
  void overflowOfTheAblatedPassIsReported_data();
  void overflowOfTheAblatedPassIsReported();
  void overflowOfThePatchedPassIsAMismatch_data();
  void overflowOfThePatchedPassIsAMismatch();
  void aDamagedWeightStopsASharedPatch();
  void passesAgreeOnZeroWeights_data();
  void passesAgreeOnZeroWeights();
  void denormalWeightsAreNotFlushedToZero_data();
  void denormalWeightsAreNotFlushedToZero();
};

void tst_not_finite_runs::aDamagedWeightStopsTheRun_data() {
  QTest::addColumn<QString>("family");
  QTest::addColumn<QString>("tensor");
  QTest::addColumn<QString>("part");
  QTest::addColumn<QString>("parameter");
  const auto row = [](const char* family, const char* tensor, const char* part,
                      const char* parameter) {
    QTest::addRow("%s %s", family, tensor) << family << tensor << part << parameter;
  };
  const char *attention = "layer 1's attention", *mlp = "layer 1's MLP";
  row("llama", "embed_tokens", "embedding of a token", "embed");
  row("llama", "layers.1.input_layernorm", attention, "attn_norm");
  row("llama", "layers.1.self_attn.q_proj", attention, "W_q");
  row("llama", "layers.1.self_attn.k_proj", attention, "W_k");
  row("llama", "layers.1.self_attn.v_proj", attention, "W_v");
  row("llama", "layers.1.self_attn.o_proj", attention, "W_o");
  row("llama", "layers.1.post_attention_layernorm", "layer 1's norm before the MLP",
      "mlp_norm");
  row("llama", "layers.1.mlp.gate_proj", mlp, "W_gate");
  row("llama", "layers.1.mlp.up_proj", mlp, "W_up");
  row("llama", "layers.1.mlp.down_proj", mlp, "W_down");
  row("llama", "model.norm", "final norm", "final_norm");
  row("llama", "lm_head", "lm_head", "its matrix");
  row("gemma3_text", "layers.1.self_attn.k_norm", attention, "k_norm");
  row("gemma3_text", "layers.1.post_attention_layernorm",
      "layer 1's residual sum after attention", "attn_post_norm");
  row("gemma3_text", "layers.1.post_feedforward_layernorm",
      "layer 1's norm after the MLP", "mlp_post_norm");
  // The soft caps of Gemma 2 would turn infinity into a finite number.
  row("gemma2", "layers.1.self_attn.q_proj", attention, "W_q");
  row("gpt2", "wpe", "embedding of a token", "positions");
  row("gpt2", "h.1.mlp.c_fc.bias", mlp, "W_in's bias");
  row("gpt2", "h.1.mlp.c_proj.bias", mlp, "W_down's bias");
  row("gpt2", "h.1.attn.c_attn.bias", attention, "b_q");
  row("mixtral", "layers.1.block_sparse_moe.gate", mlp, "W_router");
  row("mixtral", "layers.1.block_sparse_moe.experts", mlp, "W_");
  row("qwen2_moe", "layers.1.mlp.shared_expert_gate", mlp, "W_shared_router");
  row("qwen3_5_text", "layers.2.linear_attn.in_proj_qkv", "layer 2's attention",
      "W_delta_in");
  row("qwen3_5_text", "layers.2.linear_attn.dt_bias", "layer 2's attention",
      "delta_dt_bias");
  row("qwen3_5_text", "layers.2.linear_attn.A_log", "layer 2's attention", "delta_A_log");
  row("gemma4_text", "layers.1.layer_scalar", "layer 1's output", "layer_scalar");
  row("gemma4_text", "layers.1.per_layer_input_gate", "layer 1's output",
      "W_per_layer_gate");
  row("gemma4_text", "per_layer_model_projection", "the per-layer embedding of a token",
      "W_per_layer");
  row("gemma4_mixture", "layers.1.router.scale", "router's input", "router_scale");
  row("gemma4_mixture", "layers.1.pre_feedforward_layernorm_2", "experts' input",
      "experts_norm");
  row("gemma4_mixture", "layers.1.post_feedforward_layernorm_2", mlp,
      "experts_post_norm");
}

void tst_not_finite_runs::aDamagedWeightStopsTheRun() {
  QFETCH(QString, family);
  QFETCH(QString, tensor);
  QFETCH(QString, part);
  QFETCH(QString, parameter);
  test::TinyModel model{.family = family.toStdString()};
  if (family == "gpt2") model.moreConfig = R"({"activation_function": "relu"})";
  for (const double damage : {std::nan(""), kInfinity, -kInfinity}) {
    const ChangedModel damaged(
        model, [&](const std::string& name, std::vector<float>& values) {
          if (!QString::fromStdString(name).contains(tensor)) return;
          // A run reads few rows of an embedding, so the whole embedding is damaged.
          const std::size_t step = tensor.contains("embed") || tensor == "wpe" ? 1 : 1000;
          for (std::size_t at = 0; at < values.size(); at += step)
            values[at] = static_cast<float>(damage);
        });
    // In float16, the infinity could be a large weight that is finite in float32, so the
    // error advises float32.
    for (const DType dtype : kDtypes)
      QVERIFY_ERROR(runOf(damaged.open(dtype), {.steps = 2}), part, parameter,
                    "holds NaN or infinity", dtype == DType::F16 ? "float32" : "copy");
  }
}

/// Without a check, the RMSNorm of a row whose squares overflow would be 0, and both
/// passes would agree.
void tst_not_finite_runs::overflowOfSquaresStopsTheRun() {
  const ChangedModel large({}, scaledBy(1e25F, "embed_tokens"));
  for (const DType dtype : {DType::F32, DType::BF16})
    QVERIFY_ERROR(runOf(large.open(dtype), {.steps = 1}), "layer 0's attention",
                  "left the range of", "use float64");
  QVERIFY(runOf(large.open(DType::F64), {.steps = 1}).front()->match);
}

/// The large embedding is that of the first step's x. To locate the overflow, the run
/// computes the layer again from the recurrent state before x.
void tst_not_finite_runs::overflowInARecurrentLayerIsLocated() {
  const test::TinyModel model{.family = "qwen3_5_text"};
  const auto width = static_cast<std::size_t>(model.width);
  const ChangedModel large(model,
                           [&](const std::string& name, std::vector<float>& values) {
                             if (name.find("embed_tokens") == std::string::npos) return;
                             for (std::size_t at = 7 * width; at < 8 * width; ++at)
                               values[at] *= 1e25F;
                           });
  QVERIFY_ERROR(runOf(large.open(DType::F32), {.steps = 1}),
                "layer 0's attention (attn_out)", "left the range of float32");
}

void tst_not_finite_runs::overflowOfTheAblatedPassIsReported_data() {
  QTest::addColumn<int>("absorbed");
  QTest::newRow("in its context") << 2;
  QTest::newRow("at x") << 3;
}

/// The embeddings of one token and of position 0 are so large that their sum overflows.
/// Only the ablated text has this token at position 0.
void tst_not_finite_runs::overflowOfTheAblatedPassIsReported() {
  QFETCH(int, absorbed);
  const test::TinyModel model{.family = "gpt2"};
  const auto width = static_cast<std::size_t>(model.width);
  const std::size_t token = absorbed == 2 ? 11 : 7;
  const ChangedModel large(model,
                           [&](const std::string& name, std::vector<float>& values) {
                             if (name.find("wte") != std::string::npos)
                               values[token * width] = 4e4F;
                             if (name.find("wpe") != std::string::npos) values[0] = 4e4F;
                           });
  RunRequest request{.steps = 2};
  const auto session = large.open(DType::F16);
  QCOMPARE(runOf(session, request).size(), std::size_t{2});
  request.ablated = true;
  request.absorbed = {.keptPrompt = {{absorbed, 3}}, .keepsGenerated = true};
  QVERIFY_ERROR(runOf(session, request),
                "the ablated pass: ", "left the range of float16");
}

void tst_not_finite_runs::overflowOfThePatchedPassIsAMismatch_data() {
  QTest::addColumn<QString>("family");
  for (const char* family : {"llama", "gemma3_text", "gemma2", "gpt2", "mixtral"})
    QTest::newRow(family) << family;
}

/// A patch times 1e300 overflows in every dtype.
void tst_not_finite_runs::overflowOfThePatchedPassIsAMismatch() {
  QFETCH(QString, family);
  const ChangedModel model({.family = family.toStdString()}, scaledBy(1.0F));
  for (const DType dtype : kDtypes) {
    const auto session = model.open(dtype);
    for (const PatchOptions& options : allOptions()) {
      RunRequest request{.steps = 2, .patch = options, .audit = true};
      request.strength.alpha = 1e300;
      request.sampling.temperature = 1.0;
      request.measureNoise = true;
      for (const auto& step : runOf(session, request)) {
        QVERIFY(!step->match && step->sampledMatch == false);
        QCOMPARE(step->patchedDistance.linf, kInfinity);
        QCOMPARE(step->patchedDistance.tvd, 1.0);
        QCOMPARE(step->auditDistance->linf, kInfinity);
        QVERIFY(std::isfinite(step->margin) && std::isfinite(step->noise->linf));
        const Verdict verdict = judge(*step, floorOf(*step), request.strength);
        QCOMPARE(verdict.kind, VerdictKind::MethodError);
        QVERIFY(verdict.layer.has_value());
      }
    }
  }
}

void tst_not_finite_runs::aDamagedWeightStopsASharedPatch() {
  SilentProgress silent;
  const auto patchFor = [&](const ChangedModel& model) {
    return makeSharedPatch(model.open(DType::F32),
                           {.prompt = tokensOf({5, 9, 11, 7, 8}), .first = 2, .last = 5},
                           silent);
  };
  const auto nan = [](const std::string& part) {
    return [=](const std::string& name, std::vector<float>& values) {
      if (name.find(part) != std::string::npos) values[0] = std::nanf("");
    };
  };
  QVERIFY_ERROR(patchFor(ChangedModel({}, nan("layers.2.mlp.up_proj"))), "layer 2's MLP",
                "W_up");
  QVERIFY_ERROR(patchFor(ChangedModel({}, nan("lm_head"))), "lm_head");
}

void tst_not_finite_runs::passesAgreeOnZeroWeights_data() {
  QTest::addColumn<QString>("family");
  for (const char* family :
       {"llama", "gemma3_text", "gpt2", "mixtral", "olmo2", "cohere"})
    QTest::newRow(family) << family;
}

/// All logits are equal, so both passes take token 0.
void tst_not_finite_runs::passesAgreeOnZeroWeights() {
  QFETCH(QString, family);
  const ChangedModel model({.family = family.toStdString()}, scaledBy(0.0F));
  for (const DType dtype : kDtypes) {
    const auto session = model.open(dtype);
    for (const PatchOptions& options : allOptions())
      for (const auto& step :
           runOf(session, {.steps = 2, .patch = options, .audit = true})) {
        QVERIFY(step->match && step->token == TokenId(0));
        QCOMPARE(step->patchedDistance.linf, 0.0);
        QCOMPARE(step->margin, 0.0);
        QVERIFY(finiteNumbers(*step));
      }
  }
}

void tst_not_finite_runs::denormalWeightsAreNotFlushedToZero_data() {
  QTest::addColumn<QString>("dtype");
  QTest::addColumn<float>("factor");
  QTest::newRow("float16") << "float16" << 1e-6F;
  QTest::newRow("bfloat16") << "bfloat16" << 1e-39F;
  QTest::newRow("float32") << "float32" << 1e-39F;
}

void tst_not_finite_runs::denormalWeightsAreNotFlushedToZero() {
  QFETCH(QString, dtype);
  QFETCH(float, factor);
  const ChangedModel small({}, scaledBy(factor, "lm_head"));
  const auto session = small.open(dtypeFromTorchName(dtype.toStdString()).value());
  for (const PatchOptions& options : allOptions())
    for (const auto& step :
         runOf(session, {.steps = 4, .patch = options, .audit = true})) {
      QVERIFY(step->margin > 0.0 && step->contextual.front().logit > 0.0);
      QVERIFY(finiteNumbers(*step));
      QVERIFY(step->patchedDistance.linf < 0.2 * static_cast<double>(factor));
    }
}

EQUIPATCH_TEST(tst_not_finite_runs)
#include "tst_not_finite_runs.moc"
