// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/block.h"

#include <map>

#include "tests/core/model/block_oracle.h"
#include "tests/core/model/random_block.h"
#include "tests/core/model/topologies.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

constexpr std::int64_t kTokens = 7;

struct Recorder : BlockHooks {
  QStringList calls;
  std::map<std::string, Tensor> seen;
  BlockSites sites;

  void hookMlpIn(const HookedBlock&, const Tensor& v, const Tensor& z) override {
    calls << "mlp_in";
    seen["v"] = v.clone();
    seen["z"] = z.clone();
  }
  void hookInProjection(const HookedBlock&, Product& product) override {
    calls << QString::fromStdString(weightName(product.id));
    seen[matrixName(product.id)] = product.output.clone();
  }
  void hookDownProjection(const HookedBlock&, std::vector<DownProduct>& down) override {
    for (const DownProduct& product : down)
      calls << QString::fromStdString(weightName(product.id));
    seen["h"] = down.front().input.clone();
    seen["down"] = down.front().output.clone();
  }
  void hookOutBias(const HookedBlock&, Tensor& bias) override {
    calls << "bias";
    seen["bias"] = bias.clone();
  }
  void hookOutScale(const HookedBlock&, const Tensor& n, Tensor& branch) override {
    calls << "scale";
    seen["n"] = n.clone();
    seen["branch"] = branch.clone();
  }
  void hookResidPost(const HookedBlock&, BlockSites& now) override {
    calls << "resid_post";
    sites = now;
  }
};

struct BlockSetting {
  explicit BlockSetting(const ModelSpec& modelSpec, DType dtype = DType::F64)
      : spec(modelSpec),
        arithmetic(dtype, at::kCPU),
        weights(randomWeights(spec, arithmetic)),
        block(spec, LayerIndex(0), weights, arithmetic),
        x(randomTensor("resid_pre", {kTokens, spec.width}, arithmetic)),
        cache(spec, kTokens, arithmetic) {}
  BlockSetting(const BlockSetting&) = delete;

  Tensor context(BlockHooks& hooks) {
    const RowBatch batch{
        .contextRows = kTokens, .cache = &cache, .perLayer = perLayer(kTokens)};
    return block.forward(x, batch, hooks, arithmetic);
  }
  Tensor lone(BlockHooks& hooks) const {
    return block.forward(x, {.reducedRows = kTokens, .perLayer = perLayer(kTokens)},
                         hooks, arithmetic);
  }
  Tensor perLayer(std::int64_t rows) const {
    const Tensor all = perLayerRows(spec, rows);
    return all.defined() ? all.to(arithmetic.wide()) : all;
  }
  BlockOracle oracle() const { return BlockOracle(spec, weights); }

  ModelSpec spec;
  Arithmetic arithmetic;
  LayerWeights weights;
  Block block;
  Tensor x;
  KvCache cache;
};

constexpr unsigned kFeatures = 6;

/// Each of the lowest kFeatures bits switches on one feature of the block.
ModelSpec form(unsigned bits, Activation activation) {
  ModelSpec spec = smallSpec();
  spec.activation = activation;
  spec.attentionPostNorm = (bits & 1U) != 0;
  spec.mlpPostNorm = (bits & 2U) != 0;
  spec.mlpBias = (bits & 4U) != 0;
  spec.queryKeyValueBias = (bits & 8U) != 0;
  spec.attentionOutBias = (bits & 16U) != 0;
  if ((bits & 32U) != 0) spec.queryKeyNorm = QueryKeyNorm::PerHead;
  return spec;
}

double worst(const BlockSites& sites, const OracleSites& oracle) {
  return std::max({distance(sites.attn_out, oracle.attn_out),
                   distance(sites.resid_mid, oracle.resid_mid),
                   distance(sites.mlp_in, oracle.mlp_in),
                   distance(sites.mlp_out, oracle.mlp_out),
                   distance(sites.resid_post, oracle.resid_post)});
}

ModelSpec fullSpec() {
  return form((1U << kFeatures) - 1, Activation::GeluTanh);
}

}  // namespace

class tst_block : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void everyCombinationOfFeaturesEqualsTheOracle_data();
  void everyCombinationOfFeaturesEqualsTheOracle();
  void everyTopologyEqualsTheOracle_data();
  void everyTopologyEqualsTheOracle();
  void eachTopologyGivesOtherResults();
  void hooksSeeTheValuesOfTheFormulas();
  void hooksAreCalledInOrder();
  void narrowTypesStayNearTheOracle_data();
  void narrowTypesStayNearTheOracle();
  void everySiteIsRounded();
  void outerFunctionGivesResidPost_data();
  void outerFunctionGivesResidPost();
  void changingAProductEqualsPatchingItsMatrix();
  void changingTheBranchEqualsPatchingTheScale();
  void residPostChangedByAHookIsReturned();
};

void tst_block::everyCombinationOfFeaturesEqualsTheOracle_data() {
  QTest::addColumn<int>("activation");
  QTest::newRow("silu") << static_cast<int>(Activation::Silu);
  QTest::newRow("gelu, tanh") << static_cast<int>(Activation::GeluTanh);
  QTest::newRow("gelu, exact") << static_cast<int>(Activation::GeluExact);
}

void tst_block::everyCombinationOfFeaturesEqualsTheOracle() {
  QFETCH(int, activation);
  for (unsigned bits = 0; bits < (1U << kFeatures); ++bits)
    for (const bool scaleBeforeRounding : {false, true}) {
      ModelSpec spec = form(bits, static_cast<Activation>(activation));
      spec.norm.scaleBeforeRounding = scaleBeforeRounding;
      BlockSetting setting(spec);
      const QByteArray name = "form " + QByteArray::number(bits);
      Recorder together, alone;
      const Tensor out = setting.context(together);
      QVERIFY(sameBits(out, together.sites.resid_post));
      const BlockOracle oracle = setting.oracle();
      QVERIFY2(worst(together.sites, oracle.forward(toMatrix(setting.x))) < 1e-12, name);
      setting.lone(alone);
      QVERIFY2(worst(alone.sites, oracle.forwardAlone(toMatrix(setting.x))) < 1e-12,
               name);
      QVERIFY(sameBits(together.sites.resid_pre, setting.x));
    }
}

void tst_block::everyTopologyEqualsTheOracle_data() {
  QTest::addColumn<int>("index");
  int index = 0;
  for (const NamedSpec& topology : topologies()) QTest::newRow(topology.name) << index++;
}

void tst_block::everyTopologyEqualsTheOracle() {
  QFETCH(int, index);
  const std::vector<NamedSpec> all = topologies();
  const ModelSpec& spec = all[static_cast<std::size_t>(index)].spec;
  BlockSetting setting(spec);
  Recorder together, alone;
  const Tensor output = setting.context(together);
  const BlockOracle oracle = setting.oracle();
  const OracleSites expected = oracle.forward(toMatrix(setting.x));
  QVERIFY(worst(together.sites, expected) < 1e-12);
  QVERIFY(distance(output, expected.output) < 1e-12);
  setting.lone(alone);
  QVERIFY(worst(alone.sites, oracle.forwardAlone(toMatrix(setting.x))) < 1e-12);

  BlockSetting narrow(spec, DType::BF16);
  BlockHooks none;
  const Matrix reference = narrow.oracle().forward(toMatrix(narrow.x)).output;
  // Rounded router scores may make a MoE block choose other experts in one row.
  const Matrix out = toMatrix(narrow.context(none));
  std::int64_t near = 0;
  for (Eigen::Index row = 0; row < out.rows(); ++row)
    near += distance(Matrix(out.row(row)), Matrix(reference.row(row))) < 0.15 ? 1 : 0;
  QVERIFY(near >= (spec.moe ? kTokens - 1 : kTokens));
}

/// Fails if no code reads the fields of ModelSpec in which two topologies differ.
void tst_block::eachTopologyGivesOtherResults() {
  std::vector<NamedSpec> all = topologies();
  all.push_back({"plain", smallSpec()});
  std::vector<Matrix> outputs;
  BlockHooks none;
  for (const NamedSpec& topology : all) {
    BlockSetting setting(topology.spec);
    outputs.push_back(toMatrix(setting.context(none)));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      QVERIFY2(distance(outputs[i], outputs[j]) > 1e-3, all[i].name);
}

void tst_block::hooksSeeTheValuesOfTheFormulas() {
  BlockSetting setting(fullSpec());
  Recorder recorder;
  setting.context(recorder);
  const OracleSites oracle = setting.oracle().forward(toMatrix(setting.x));
  auto& seen = recorder.seen;
  QVERIFY(distance(seen["v"], oracle.resid_mid) < 1e-12);
  QVERIFY(distance(seen["z"], oracle.mlp_in) < 1e-12);
  QVERIFY(distance(seen["gate"], oracle.gate) < 1e-12);
  QVERIFY(distance(seen["up"], oracle.up) < 1e-12);
  QVERIFY(distance(seen["h"], oracle.h) < 1e-12);
  QVERIFY(distance(seen["down"] + seen["bias"], oracle.mlp_out) < 1e-12);
  const Matrix branch = oracle.resid_post - oracle.resid_mid;
  QVERIFY(distance(seen["branch"], branch) < 1e-12);
  const Matrix m = toMatrix(setting.weights.mlp_post_norm.m);
  const Matrix n = branch.array().rowwise() / m.row(0).array();
  QVERIFY(distance(seen["n"], n) < 1e-11);
}

void tst_block::hooksAreCalledInOrder() {
  Recorder recorder;
  BlockSetting(fullSpec()).context(recorder);
  QCOMPARE(recorder.calls, QStringList({"mlp_in", "W_gate", "W_up", "W_down", "bias",
                                        "scale", "resid_post"}));
  Recorder plain;
  BlockSetting(smallSpec()).context(plain);
  QCOMPARE(plain.calls,
           QStringList({"mlp_in", "W_gate", "W_up", "W_down", "resid_post"}));
}

void tst_block::narrowTypesStayNearTheOracle_data() {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<double>("tolerance");
  QTest::newRow("float32") << static_cast<int>(DType::F32) << 2e-5;
  QTest::newRow("float16") << static_cast<int>(DType::F16) << 2e-2;
  QTest::newRow("bfloat16") << static_cast<int>(DType::BF16) << 1.5e-1;
}

void tst_block::narrowTypesStayNearTheOracle() {
  QFETCH(int, dtype);
  QFETCH(double, tolerance);
  for (const ModelSpec& spec : {smallSpec(), fullSpec()}) {
    BlockSetting setting(spec, static_cast<DType>(dtype));
    BlockHooks none;
    const Matrix oracle = setting.oracle().forward(toMatrix(setting.x)).resid_post;
    const double error = distance(setting.context(none), oracle);
    QVERIFY(error > 0.0);
    QVERIFY2(error < tolerance, qPrintable(QString::number(error)));
  }
}

void tst_block::everySiteIsRounded() {
  for (const DType dtype : {DType::BF16, DType::F16}) {
    BlockSetting setting(fullSpec(), dtype);
    Recorder recorder;
    setting.context(recorder);
    const Arithmetic& a = setting.arithmetic;
    const BlockSites& sites = recorder.sites;
    for (const Tensor& site :
         {sites.attn_out, sites.resid_mid, sites.mlp_in, sites.mlp_out, sites.resid_post,
          recorder.seen["h"], recorder.seen["branch"]})
      QVERIFY(sameBits(a.round(site), site));
    // Hooks see unrounded products, because a patch is computed from them.
    for (const char* product : {"gate", "up", "down"})
      QVERIFY(!sameBits(a.round(recorder.seen[product]), recorder.seen[product]));
    QVERIFY(
        sameBits(a.round(recorder.seen["down"] + recorder.seen["bias"]), sites.mlp_out));
  }
}

void tst_block::outerFunctionGivesResidPost_data() {
  QTest::addColumn<int>("dtype");
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16})
    QTest::newRow(std::string(torchName(dtype)).c_str()) << static_cast<int>(dtype);
}

void tst_block::outerFunctionGivesResidPost() {
  QFETCH(int, dtype);
  for (const bool postNorm : {false, true})
    for (const bool scaleBeforeRounding : {false, true}) {
      ModelSpec spec = smallSpec();
      spec.mlpPostNorm = postNorm;
      spec.norm.scaleBeforeRounding = scaleBeforeRounding;
      BlockSetting setting(spec, static_cast<DType>(dtype));
      Recorder recorder;
      setting.context(recorder);
      const Tensor closed = setting.block.outer().close(
          recorder.seen["v"], recorder.seen["down"], setting.arithmetic);
      QVERIFY(sameBits(closed, recorder.sites.resid_post));
    }
}

/// Adds u (wᵀ x) to one row of one product, as if the matrix were W + u wᵀ for this row.
struct RankOne : BlockHooks {
  MatrixRole where = MatrixRole::Gate;
  std::int64_t row = 0;
  Tensor u, w;

  void add(Product& product) const {
    if (product.id.role != where) return;
    product.output[row].add_(u * at::dot(w, product.input[row]));
  }
  void hookInProjection(const HookedBlock&, Product& product) override { add(product); }
  void hookDownProjection(const HookedBlock&, std::vector<DownProduct>& down) override {
    for (DownProduct& product : down) add(product);
  }
};

void tst_block::changingAProductEqualsPatchingItsMatrix() {
  for (const MatrixRole where : {MatrixRole::Gate, MatrixRole::Up, MatrixRole::Down}) {
    BlockSetting setting(fullSpec());
    LayerWeights weights = setting.weights;
    Linear& linear = where == MatrixRole::Gate ? weights.mlp.W_gate
                     : where == MatrixRole::Up ? weights.mlp.W_up
                                               : weights.mlp.W_down;
    RankOne patch;
    patch.where = where;
    patch.row = 3;
    patch.u = randomTensor("u", {linear.weight.size(0)}, setting.arithmetic, 0.3);
    patch.w = randomTensor("w", {linear.weight.size(1)}, setting.arithmetic, 0.3);
    linear.weight = linear.weight + at::outer(patch.u, patch.w);

    const Tensor out = setting.context(patch);
    const Matrix x = toMatrix(setting.x);
    const Matrix original = setting.oracle().forward(x).resid_post;
    const Matrix patched = BlockOracle(setting.spec, weights).forward(x).resid_post;
    QVERIFY((patched - original).row(3).cwiseAbs().maxCoeff() > 1e-2);
    for (std::int64_t row = 0; row < kTokens; ++row)
      QVERIFY(distance(out[row], (row == 3 ? patched : original).row(row)) < 1e-12);
  }
}

void tst_block::changingTheBranchEqualsPatchingTheScale() {
  struct Rescale : BlockHooks {
    Tensor m;
    void hookOutScale(const HookedBlock& view, const Tensor& n, Tensor& branch) override {
      branch.narrow(0, 2, 1).copy_(
          view.outer.branch(n.narrow(0, 2, 1), m, view.arithmetic));
    }
  };
  BlockSetting setting(fullSpec());
  LayerWeights weights = setting.weights;
  Rescale hooks;
  hooks.m = weights.mlp_post_norm.m +
            randomTensor("dm", {setting.spec.width}, setting.arithmetic, 0.5);
  weights.mlp_post_norm.m = hooks.m;
  const Tensor out = setting.context(hooks);
  const Matrix x = toMatrix(setting.x);
  const Matrix original = setting.oracle().forward(x).resid_post;
  const Matrix patched = BlockOracle(setting.spec, weights).forward(x).resid_post;
  for (std::int64_t row = 0; row < kTokens; ++row)
    QVERIFY(distance(out[row], (row == 2 ? patched : original).row(row)) < 1e-12);
}

void tst_block::residPostChangedByAHookIsReturned() {
  struct Steer : BlockHooks {
    void hookResidPost(const HookedBlock&, BlockSites& sites) override {
      sites.resid_post = sites.resid_post + 0.5;
    }
  };
  BlockSetting setting(smallSpec());
  Steer steer;
  const Matrix original = setting.oracle().forward(toMatrix(setting.x)).resid_post;
  const Matrix expected = original.array() + 0.5;
  QVERIFY(distance(setting.context(steer), expected) < 1e-12);
}

EQUIPATCH_TEST(tst_block)
#include "tst_block.moc"
