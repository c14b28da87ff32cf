// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/block_hooks.h"

#include "core/model/block.h"
#include "tests/core/model/random_block.h"
#include "tests/core/model/topologies.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

/// x ← factor · x + offset at every site that may be changed. In general, two such hooks
/// do not commute, so that results show the order of the calls.
struct Affine : BlockHooks {
  Affine(double factorNow, double offsetNow, QString nameNow, QStringList& callsNow)
      : factor(factorNow), offset(offsetNow), name(std::move(nameNow)), calls(callsNow) {}

  void change(const char* where, Tensor& x) {
    calls << name + ' ' + where;
    x.mul_(factor).add_(offset);
  }
  void hookMlpIn(const HookedBlock&, const Tensor&, const Tensor&) override {
    calls << name + " input";
  }
  void hookInProjection(const HookedBlock&, Product& product) override {
    change(matrixName(product.id).c_str(), product.output);
  }
  void hookDownProjection(const HookedBlock&, std::vector<DownProduct>& down) override {
    for (DownProduct& product : down)
      change(matrixName(product.id).c_str(), product.output);
  }
  void hookOutBias(const HookedBlock&, Tensor& bias) override {
    bias = bias.clone();
    change("bias", bias);
  }
  void hookDenseScale(const HookedBlock&, const Tensor&, Tensor& branch) override {
    change("dense scale", branch);
  }
  void hookOutScale(const HookedBlock&, const Tensor&, Tensor& branch) override {
    change("scale", branch);
  }
  void hookResidPost(const HookedBlock&, BlockSites& sites) override {
    change("resid_post", sites.resid_post);
  }
  void hookOutput(const HookedBlock&, const Tensor&) override {
    calls << name + " output";
  }

  double factor, offset;
  QString name;
  QStringList& calls;
};

struct View {
  View() : weights(randomWeights(spec, arithmetic)), outer(spec, {}) {}

  ModelSpec spec = smallSpec();
  Arithmetic arithmetic{DType::F64, at::kCPU};
  LayerWeights weights;
  OuterFunction outer;
  HookedBlock view{LayerIndex(4), weights, outer, arithmetic};

  /// A product for all rows; `y` is both its input and its output.
  Product product(MatrixRole role, const Tensor& y) const {
    return {{role}, weights.mlp.W_gate, y, y, {}};
  }
  std::vector<DownProduct> down(const Tensor& y) const {
    return {{product(MatrixRole::Down, y), {}}};
  }
};

}  // namespace

class tst_block_hooks : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void plainHooksChangeNothing();
  void indexOfFindsTheRowsOfAProduct();
  void sumsMultiplyEachExpertByItsGate();
  void aChainCallsInTheOrderGiven();
  void eachHookSeesThePreviousResult();
  void nestedChainsEqualAFlatChain();
  void aBlockAppliesTheHooksOfAChainInTurn();
  void mlpOutputOfGivesEachRowsMlpOut();
};

void tst_block_hooks::plainHooksChangeNothing() {
  const View at;
  BlockHooks plain;
  HookChain empty({}), chain({&plain, &plain});
  for (BlockHooks* hooks : std::initializer_list<BlockHooks*>{&plain, &empty, &chain}) {
    const Tensor before = randomTensor("y", {3, 5}, at.arithmetic);
    Tensor y = before.clone();
    BlockSites sites{.resid_pre = {},
                     .attn_out = {},
                     .resid_mid = {},
                     .mlp_in = {},
                     .mlp_out = {},
                     .resid_post = before.clone()};
    hooks->hookMlpIn(at.view, y, y);
    Product gate = at.product(MatrixRole::Gate, y), up = at.product(MatrixRole::Up, y);
    std::vector<DownProduct> down = at.down(y);
    Tensor bias = y;
    hooks->hookInProjection(at.view, gate);
    hooks->hookInProjection(at.view, up);
    hooks->hookDownProjection(at.view, down);
    hooks->hookOutBias(at.view, bias);
    QVERIFY(sameBits(bias, before));
    hooks->hookDenseScale(at.view, y, y);
    hooks->hookOutScale(at.view, y, y);
    hooks->hookResidPost(at.view, sites);
    QVERIFY(sameBits(y, before));
    QVERIFY(sameBits(sites.resid_post, before));
  }
}

void tst_block_hooks::indexOfFindsTheRowsOfAProduct() {
  const View at;
  const Tensor y = at::zeros({3, 2}, at::kDouble);
  Product product = at.product(MatrixRole::Gate, y);
  QCOMPARE(product.indexOf(2), RowIndex(2));
  product.rows = {1, 4, 7};
  QCOMPARE(product.indexOf(4), RowIndex(1));
  QCOMPARE(product.indexOf(7), RowIndex(2));
  QVERIFY(!product.indexOf(2));
}

void tst_block_hooks::sumsMultiplyEachExpertByItsGate() {
  const View at;
  const Tensor one = randomTensor("one", {2, 5}, at.arithmetic);
  const Tensor two = randomTensor("two", {3, 5}, at.arithmetic);
  const Tensor gates = at::tensor({0.3, 0.7}, at::kDouble);
  std::vector<DownProduct> down{{at.product(MatrixRole::Down, one), gates},
                                {at.product(MatrixRole::Down, two), gates.repeat(2)}};
  down[0].rows = {0, 2};
  down[1].rows = {1, 2, 5};
  QVERIFY(distance(sumOf(down, 0), 0.3 * toMatrix(one).row(0)) < 1e-15);
  QVERIFY(distance(sumOf(down, 2),
                   0.7 * toMatrix(one).row(1) + 0.7 * toMatrix(two).row(1)) < 1e-15);
  QVERIFY(distance(sumOf(at.down(two), 1), Matrix(toMatrix(two).row(1))) == 0.0);
}

void tst_block_hooks::aChainCallsInTheOrderGiven() {
  const View at;
  QStringList calls;
  Affine a(1, 0, "a", calls), b(1, 0, "b", calls), c(1, 0, "c", calls);
  HookChain chain({&b, &a, &c, &a});
  Tensor y = at::zeros({1, 2}, at::kDouble);
  BlockSites sites;
  sites.resid_post = y;
  chain.hookMlpIn(at.view, y, y);
  Product gate = at.product(MatrixRole::Gate, y), up = at.product(MatrixRole::Up, y);
  std::vector<DownProduct> down = at.down(y);
  Tensor bias = y;
  chain.hookInProjection(at.view, gate);
  chain.hookInProjection(at.view, up);
  chain.hookDownProjection(at.view, down);
  chain.hookOutBias(at.view, bias);
  chain.hookDenseScale(at.view, y, y);
  chain.hookOutScale(at.view, y, y);
  chain.hookResidPost(at.view, sites);
  chain.hookOutput(at.view, y);
  QStringList expected;
  for (const char* where : {"input", "gate", "up", "down", "bias", "dense scale", "scale",
                            "resid_post", "output"})
    for (const char* name : {"b", "a", "c", "a"}) expected << QString(name) + ' ' + where;
  QCOMPARE(calls, expected);
}

void tst_block_hooks::eachHookSeesThePreviousResult() {
  const View at;
  QStringList calls;
  Affine doubles(2, 0, "doubles", calls), adds(1, 3, "adds", calls);
  HookChain first({&doubles, &adds}), second({&adds, &doubles});
  Tensor y = at::full({2, 2}, 5.0, at::kDouble);
  std::vector<DownProduct> down = at.down(y);
  first.hookDownProjection(at.view, down);
  QVERIFY(y.eq(13.0).all().item<bool>());
  Product gate = at.product(MatrixRole::Gate, y);
  second.hookInProjection(at.view, gate);
  QVERIFY(y.eq(32.0).all().item<bool>());
  second.hookOutScale(at.view, y, y);
  QVERIFY(y.eq(70.0).all().item<bool>());
  BlockSites sites;
  sites.resid_post = y;
  first.hookResidPost(at.view, sites);
  QVERIFY(sites.resid_post.eq(143.0).all().item<bool>());
}

void tst_block_hooks::nestedChainsEqualAFlatChain() {
  const View at;
  QStringList calls;
  Affine a(2, 1, "a", calls), b(3, 0, "b", calls), c(1, 5, "c", calls);
  HookChain inner({&a, &b}), nested({&inner, &c}), flat({&a, &b, &c});
  Tensor left = at::full({1, 3}, 2.0, at::kDouble), right = left.clone();
  std::vector<DownProduct> one = at.down(left), other = at.down(right);
  nested.hookDownProjection(at.view, one);
  flat.hookDownProjection(at.view, other);
  QVERIFY(sameBits(left, right));
  QVERIFY(left.eq(20.0).all().item<bool>());
}

void tst_block_hooks::aBlockAppliesTheHooksOfAChainInTurn() {
  ModelSpec spec = smallSpec();
  spec.mlpPostNorm = true;
  const Arithmetic arithmetic(DType::F64, at::kCPU);
  const LayerWeights weights = randomWeights(spec, arithmetic);
  const Block block(spec, LayerIndex(0), weights, arithmetic);
  const Tensor x = randomTensor("x", {2, spec.width}, arithmetic);
  QStringList calls;
  // 2 (3 x + 1) + 5 = 6 x + 7: the two sides differ by rounding only.
  Affine a(3, 1, "a", calls), b(2, 5, "b", calls), both(6, 7, "both", calls);
  HookChain chain({&a, &b});
  const Tensor chained = block.forward(x, {.reducedRows = 2}, chain, arithmetic);
  const Tensor once = block.forward(x, {.reducedRows = 2}, both, arithmetic);
  const double size = toMatrix(once).cwiseAbs().maxCoeff();
  QVERIFY(distance(chained, once) < 1e-12 * size);
  BlockHooks none;
  QVERIFY(distance(chained, block.forward(x, {.reducedRows = 2}, none, arithmetic)) >
          1.0);
}

void tst_block_hooks::mlpOutputOfGivesEachRowsMlpOut() {
  struct Rows : BlockHooks {
    std::vector<Tensor> outputs, dense, experts;
    Tensor mlp_out;
    void hookDownProjection(const HookedBlock& view,
                            std::vector<DownProduct>& down) override {
      for (std::int64_t row = 0; row < 4; ++row) {
        outputs.push_back(mlpOutputOf(view, down, row));
        if (!view.weights.hasDenseBeside()) continue;
        const BesideBranches branches = besideBranches(view, down, row);
        dense.push_back(branches.dense);
        experts.push_back(branches.experts);
      }
    }
    void hookResidPost(const HookedBlock&, BlockSites& sites) override {
      mlp_out = sites.mlp_out;
    }
  };
  for (const NamedSpec& topology : topologies()) {
    const Arithmetic arithmetic(DType::F64, at::kCPU);
    const LayerWeights weights = randomWeights(topology.spec, arithmetic);
    const Block block(topology.spec, LayerIndex(0), weights, arithmetic);
    const Tensor x = randomTensor("x", {4, topology.spec.width}, arithmetic);
    Rows rows;
    block.forward(x, {.reducedRows = 4, .perLayer = perLayerRows(topology.spec, 4)}, rows,
                  arithmetic);
    QVERIFY(sameBits(at::cat(rows.outputs), rows.mlp_out));
    if (!topology.spec.hasDenseBeside()) continue;
    const Tensor normed = norm(at::cat(rows.dense), weights.dense_post_norm,
                               topology.spec.norm, arithmetic);
    QVERIFY(sameBits(normed + at::cat(rows.experts), rows.mlp_out));
  }
}

EQUIPATCH_TEST(tst_block_hooks)
#include "tst_block_hooks.moc"
