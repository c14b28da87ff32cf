// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/hooks/patch_builder.h"

#include <QTemporaryDir>
#include <map>
#include <set>

#include "core/patch/planner.h"
#include "tests/core/patch/eigen_model.h"
#include "tests/support/test_case.h"
#include "tests/support/tiny_checkpoint.h"

using namespace equipatch;
using equipatch::test::EigenModel;

namespace {

/// A random model in float64 and the results of one step.
class BuilderFixture {
 public:
  BuilderFixture(const std::string& family, const std::string& moreConfig = "{}") {
    const auto folder = test::writeTinyCheckpoint(
        std::filesystem::path(m_folder.path().toStdString()) / "model",
        {.family = family, .moreConfig = moreConfig});
    model = Transformer::load(Checkpoint::open(folder), Arithmetic(DType::F64, at::kCPU),
                              m_silent);
  }

  /// Computes x after `context` in lockstep.
  void run(const std::vector<TokenId>& context, TokenId x, PatchOptions options) {
    KvCache cache = model->makeCache(static_cast<std::int64_t>(context.size()) + 1);
    BlockHooks none;
    model->prefill(context, cache, none, model->arithmetic(), m_silent);
    record.resize(static_cast<std::size_t>(model->spec().layerCount()));
    const bool open = options.loop == Loop::Open;
    ContextRecorder recorder(0, record);
    PatchBuilder builder(record, {.source = open ? 2 : 1, .patched = 1}, options);
    HookChain chain({&recorder, &builder});
    const RowBatch batch{.contextRows = 1,
                         .reducedRows = open ? 2 : 1,
                         .firstPosition = cache.length(),
                         .cache = &cache};
    const EmbeddedRows rows = model->embedRows(x, cache.length(), batch.rows());
    const Tensor out = model->forward(rows, batch, chain, model->arithmetic());
    contextualRow = hostRow(out, 0);
    patchedRow = hostRow(out, 1);
    patch = builder.takePatch();
    diagnostics = builder.takeDiagnostics();
  }

  std::unique_ptr<Transformer> model;
  ContextRecord record;
  Patch patch;
  std::vector<LayerDiagnostics> diagnostics;
  Vector contextualRow, patchedRow;

 private:
  QTemporaryDir m_folder;
  SilentProgress m_silent;
};

const std::vector<TokenId> kContext{TokenId(5), TokenId(17), TokenId(3), TokenId(40),
                                    TokenId(17)};

constexpr std::int64_t kPosition = 5;  // of the token after kContext

const Linear& matrixOf(const LayerWeights& weights, MatrixId id) {
  if (id.role == MatrixRole::Router) return weights.W_router;
  if (id.role == MatrixRole::SharedRouter) return weights.W_shared_router;
  const bool dense = id.expert == MatrixId::kDense || id.expert == MatrixId::kBeside;
  const FeedForwardWeights& mlp =
      dense ? weights.mlp
      : id.expert == MatrixId::kShared
          ? weights.shared
          : weights.experts[static_cast<std::size_t>(id.expert)];
  switch (id.role) {
    case MatrixRole::Gate:
      return mlp.W_gate;
    case MatrixRole::Up:
      return mlp.W_up;
    case MatrixRole::In:
      return mlp.W_in;
    default:
      return mlp.W_down;
  }
}

double errorRelativeTo(const Vector& a, const Vector& b) {
  return (a - b).norm() / b.norm();
}

}  // namespace

class tst_patch_builder : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data();
  void thePatchedWeightsRestoreEveryBlock_data();
  void thePatchedWeightsRestoreEveryBlock();
  void aPatchDoesNotFitAnotherContext();
  void withoutContextThereIsNoPatch();
  void reportedNormsAreThoseOfTheMatrices();
  void thePlanNamesThePatchedMatrices();
  void onlyParallelBlocksKeepTheirInProjections();
  void moeDiagnosticsListTheContextualExperts();
  void expertsOfTheContextualRowAloneStayUnpatched();
  void directPatchesTheScaleIfThereIsOne();
  void aZeroInputIsNotedNotPatched();
};

void tst_patch_builder::initTestCase_data() {
  QTest::addColumn<QString>("family");
  QTest::addColumn<QString>("config");
  const auto row = [](const char* name, const char* family, const char* config = "{}") {
    QTest::newRow(name) << family << config;
  };
  row("llama", "llama");
  row("llama with biases", "llama", R"({"attention_bias": true, "mlp_bias": true})");
  row("gemma3", "gemma3_text");
  row("gpt2", "gpt2");
  row("gptj", "gptj");
  row("neox, parallel", "gpt_neox");
  row("neox, sequential", "gpt_neox", R"({"use_parallel_residual": false})");
  row("phi", "phi");
  row("cohere", "cohere");
  row("olmo2", "olmo2");
  row("granite", "granite",
      R"({"residual_multiplier": 0.3, "embedding_multiplier": 4.0, "logits_scaling": 2})");
  row("mixtral", "mixtral");
  row("qwen2_moe", "qwen2_moe");
  row("qwen3_moe", "qwen3_moe", R"({"mlp_only_layers": [1]})");
  row("gemma4, experts beside a dense MLP", "gemma4_mixture");
  row("qwen3.5, recurrent layers and experts", "qwen3_5_moe_text");
}

void tst_patch_builder::thePatchedWeightsRestoreEveryBlock_data() {
  QTest::addColumn<QString>("method");
  QTest::addColumn<QString>("loop");
  QTest::addColumn<double>("tolerance");
  // `direct` divides by activations near zero, which amplifies rounding errors.
  QTest::newRow("balanced closed") << "balanced"
                                   << "closed" << 1e-12;
  QTest::newRow("balanced half") << "balanced"
                                 << "half" << 1e-12;
  QTest::newRow("balanced open") << "balanced"
                                 << "open" << 1e-12;
  QTest::newRow("stable closed") << "stable"
                                 << "closed" << 1e-12;
  QTest::newRow("stable half") << "stable"
                               << "half" << 1e-12;
  QTest::newRow("stable open") << "stable"
                               << "open" << 1e-11;
  QTest::newRow("direct closed") << "direct"
                                 << "closed" << 1e-9;
  QTest::newRow("direct half") << "direct"
                               << "half" << 1e-9;
  QTest::newRow("direct open") << "direct"
                               << "open" << 1e-8;
}

/// Theorems 1, 2 and 5. The oracle computes with Eigen.
void tst_patch_builder::thePatchedWeightsRestoreEveryBlock() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH_GLOBAL(QString, config);
  QFETCH(QString, method);
  QFETCH(QString, loop);
  QFETCH(double, tolerance);
  BuilderFixture fixture(family.toStdString(), config.toStdString());
  const TokenId x(9);
  fixture.run(kContext, x,
              {.method = *methodFromName(method.toStdString()),
               .loop = *loopFromName(loop.toStdString())});
  const EigenModel oracle(*fixture.model);
  const std::vector<Vector> patched = oracle.run(x, fixture.patch, kPosition);
  const std::vector<Vector> bare = oracle.run(x, Patch(patched.size()), kPosition);
  for (std::size_t layer = 0; layer < patched.size(); ++layer) {
    const Vector& wanted = fixture.record[layer].resid_post;
    QVERIFY(errorRelativeTo(bare[layer], wanted) >
            1e-2);  // there is something to restore
    QVERIFY2(errorRelativeTo(patched[layer], wanted) <= tolerance,
             qPrintable(QString::number(errorRelativeTo(patched[layer], wanted))));
  }
  QVERIFY(errorRelativeTo(fixture.patchedRow, fixture.contextualRow) <= tolerance);
  const Vector logits = oracle.logits(patched.back());
  QVERIFY(errorRelativeTo(logits, oracle.logits(fixture.record.back().resid_post)) <=
          tolerance);
}

void tst_patch_builder::aPatchDoesNotFitAnotherContext() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH_GLOBAL(QString, config);
  BuilderFixture one(family.toStdString(), config.toStdString());
  BuilderFixture other(family.toStdString(), config.toStdString());
  one.run(kContext, TokenId(9), {});
  other.run({TokenId(1), TokenId(2)}, TokenId(9), {});
  const auto outputs = EigenModel(*one.model).run(TokenId(9), other.patch, kPosition);
  QVERIFY(errorRelativeTo(outputs.back(), one.record.back().resid_post) > 1e-2);
}

void tst_patch_builder::withoutContextThereIsNoPatch() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH_GLOBAL(QString, config);
  BuilderFixture fixture(family.toStdString(), config.toStdString());
  fixture.run({}, TokenId(9), {});
  for (std::size_t layer = 0; layer < fixture.patch.size(); ++layer) {
    const LayerPatch& patch = fixture.patch[layer];
    QVERIFY(patch.matrices.empty() && !patch.scale && !patch.bias);
    QCOMPARE(fixture.diagnostics[layer].record.effect, 0.0);
    QVERIFY(!fixture.diagnostics[layer].record.matrices.empty());
    for (const MatrixPatchNorm& change : fixture.diagnostics[layer].record.matrices)
      QCOMPARE(change.norm, 0.0);
  }
  QVERIFY(fixture.patchedRow == fixture.contextualRow);
}

void tst_patch_builder::reportedNormsAreThoseOfTheMatrices() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH_GLOBAL(QString, config);
  BuilderFixture fixture(family.toStdString(), config.toStdString());
  fixture.run(kContext, TokenId(9), {});
  for (std::size_t layer = 0; layer < fixture.patch.size(); ++layer) {
    const LayerDiagnostics& reported = fixture.diagnostics[layer];
    std::map<std::string, double> formed, whole;
    for (const MatrixPatch& patch : fixture.patch[layer].matrices) {
      const Eigen::MatrixXd matrix = patch.change.u * patch.change.w.transpose();
      formed[matrixName(patch.matrix)] += matrix.squaredNorm();
      whole[matrixName(patch.matrix)] +=
          test::toMatrix(
              matrixOf(fixture.model->weights().layers[layer], patch.matrix).weight)
              .squaredNorm();
    }
    const bool dense = fixture.patch[layer].denseScale.has_value();
    QCOMPARE(reported.record.matrices.size(),
             formed.size() + (dense ? 1 : 0));  // `balanced` patches every matrix
    for (const MatrixPatchNorm& change : reported.record.matrices) {
      if (change.matrix == kDenseScale) {
        const Vector m = toHost(fixture.model->weights().layers[layer].dense_post_norm.m);
        QVERIFY(std::abs(change.norm - (*fixture.patch[layer].denseScale - m).norm()) <=
                1e-12 * change.norm);
        continue;
      }
      const double norm = std::sqrt(formed.at(change.matrix));
      QVERIFY(std::abs(change.norm - norm) <= 1e-12 * norm);
      const double relative = norm / std::sqrt(whole.at(change.matrix));
      QVERIFY(std::abs(change.relative - relative) <= 1e-12);
    }
    QCOMPARE(reported.scaleDelta.size() > 0, fixture.model->spec().mlpPostNorm);
    QCOMPARE(reported.biasDelta.size() > 0, fixture.patch[layer].bias.has_value());
    QVERIFY(reported.record.zCosine <= 1.0 && reported.record.zCosine > -1.0);
  }
}

void tst_patch_builder::thePlanNamesThePatchedMatrices() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH_GLOBAL(QString, config);
  BuilderFixture fixture(family.toStdString(), config.toStdString());
  fixture.run(kContext, TokenId(9), {});
  const PatchPlan plan = planPatch(fixture.model->spec());
  std::set<std::string> patched;
  bool scale = false, bias = false;
  for (const LayerPatch& layer : fixture.patch) {
    for (const MatrixPatch& patch : layer.matrices)
      patched.insert(matrixName(patch.matrix));
    if (layer.denseScale) patched.insert(kDenseScale);
    scale = scale || layer.scale;
    bias = bias || layer.bias;
  }
  QCOMPARE(patched, std::set<std::string>(plan.matrices.begin(), plan.matrices.end()));
  QCOMPARE(scale, plan.closesWithScale);
  QCOMPARE(bias, plan.closesWithBias);
}

/// Lemma 12: a parallel block computes mlp_in from resid_pre, which the patches of the
/// earlier layers have restored.
void tst_patch_builder::onlyParallelBlocksKeepTheirInProjections() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH_GLOBAL(QString, config);
  BuilderFixture fixture(family.toStdString(), config.toStdString());
  fixture.run(kContext, TokenId(9), {});
  const bool parallel = fixture.model->spec().mlpInput != MlpInput::ResidMid;
  for (const LayerPatch& layer : fixture.patch)
    for (const MatrixPatch& patch : layer.matrices) {
      if (patch.matrix.role == MatrixRole::Down) continue;
      QCOMPARE(patch.change.norm() < 1e-12, parallel);
    }
}

void tst_patch_builder::moeDiagnosticsListTheContextualExperts() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH_GLOBAL(QString, config);
  BuilderFixture fixture(family.toStdString(), config.toStdString());
  fixture.run(kContext, TokenId(9), {});
  const ModelSpec& spec = fixture.model->spec();
  for (std::size_t layer = 0; layer < fixture.patch.size(); ++layer) {
    const LayerDiagnostics& reported = fixture.diagnostics[layer];
    if (!spec.layers[layer].moe) {
      QVERIFY(reported.record.experts.empty());
      QCOMPARE(reported.record.gateSum, 0.0);
      continue;
    }
    QCOMPARE(static_cast<std::int64_t>(reported.record.experts.size()), spec.moe->active);
    QVERIFY(reported.record.gateSum > 0.0 && reported.record.gateSum < 2.0);
    // The patched router chooses the contextual pass's experts.
    std::vector<std::int64_t> wanted;
    for (const DownInput& input : fixture.record[layer].downInputs)
      if (input.matrix.expert >= 0) wanted.push_back(input.matrix.expert);
    QCOMPARE(reported.record.experts, wanted);
  }
  const std::vector<LayerDiagnostics> closed = fixture.diagnostics;
  fixture.run(kContext, TokenId(9), {.loop = Loop::Open});
  for (std::size_t layer = 0; layer < closed.size(); ++layer)
    QVERIFY(std::abs(fixture.diagnostics[layer].record.gateSum -
                     closed[layer].record.gateSum) < 1e-9);
}

void tst_patch_builder::expertsOfTheContextualRowAloneStayUnpatched() {
  const c10::InferenceMode inference;
  BuilderFixture fixture("mixtral");
  const LayerWeights& weights = fixture.model->weights().layers[0];
  const HookedBlock view{LayerIndex(0), weights,
                         fixture.model->block(LayerIndex(0)).outer(),
                         fixture.model->arithmetic()};
  const auto product = [&](std::size_t expert, const std::vector<std::int64_t>& rows) {
    const Linear& W = weights.experts[expert].W_down;
    const auto ones = [&](std::int64_t n) {
      return at::ones({std::ssize(rows), n}, at::kDouble);
    };
    const MatrixId id{MatrixRole::Down, std::int64_t(expert)};
    return DownProduct{{id, W, ones(W.inputs()), ones(W.outputs()), rows},
                       ones(1).select(1, 0)};
  };
  // Row 0 (contextual) uses experts 0 and 1; row 1 (patched) uses experts 0 and 2.
  std::vector<DownProduct> down{product(0, {0, 1}), product(1, {0}), product(2, {1})};
  const Tensor zero = at::zeros({2, weights.experts[0].W_down.outputs()}, at::kDouble);
  ContextRecord record(1);
  record[0].resid_mid = record[0].mlp_in = Vector::Ones(zero.size(1));
  record[0].mlp_out = Vector::Zero(zero.size(1));
  record[0].downInputs = downInputs(down, 0);
  PatchBuilder builder(record, {.source = 1, .patched = 1}, {.loop = Loop::Half});
  builder.hookMlpIn(view, zero, zero);
  builder.hookDownProjection(view, down);
  const LayerPatch patch = builder.takePatch()[0];
  QCOMPARE(patch.matrices.size(), std::size_t(1));
  QVERIFY(patch.find({MatrixRole::Down, 0}) != nullptr);
}

void tst_patch_builder::directPatchesTheScaleIfThereIsOne() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH_GLOBAL(QString, config);
  BuilderFixture fixture(family.toStdString(), config.toStdString());
  fixture.run(kContext, TokenId(9), {.method = Method::Direct});
  const bool closesWithScale = fixture.model->spec().mlpPostNorm;
  for (const LayerPatch& patch : fixture.patch) {
    const bool down =
        std::any_of(patch.matrices.begin(), patch.matrices.end(),
                    [](const auto& one) { return one.matrix.role == MatrixRole::Down; });
    QCOMPARE(down || patch.bias.has_value(), !closesWithScale);
    QCOMPARE(patch.scale.has_value(), closesWithScale);
  }
  if (closesWithScale) QVERIFY(fixture.diagnostics[0].record.smallestDivisor > 0.0);
}

void tst_patch_builder::aZeroInputIsNotedNotPatched() {
  const c10::InferenceMode inference;
  BuilderFixture fixture("llama");
  ContextRecord record(1);
  record[0].resid_mid = Vector::Ones(32);
  record[0].mlp_in = Vector::Ones(32);
  record[0].inProjections = {{{MatrixRole::Gate}, at::ones({48}, at::kDouble)}};
  const Block& block = fixture.model->block(LayerIndex(0));
  const LayerWeights& weights = fixture.model->weights().layers[0];
  const HookedBlock view{LayerIndex(0), weights, block.outer(),
                         fixture.model->arithmetic()};
  PatchBuilder builder(record, {.source = 0, .patched = 0}, {});
  const Tensor zero = at::zeros({1, 32}, at::kDouble);
  Product product{
      {MatrixRole::Gate}, weights.mlp.W_gate, zero, at::zeros({1, 48}, at::kDouble), {}};
  builder.hookMlpIn(view, zero, zero);
  builder.hookInProjection(view, product);
  builder.hookInProjection(view, product);  // the note must not name the case twice
  QVERIFY(builder.takePatch()[0].matrices.empty());
  const LayerDiagnostics layer = builder.takeDiagnostics()[0];
  QCOMPARE(layer.record.guarded, 2);
  QCOMPARE(QString::fromStdString(layer.record.note).count("z = 0"), 1);
}

EQUIPATCH_TEST(tst_patch_builder)
#include "tst_patch_builder.moc"
