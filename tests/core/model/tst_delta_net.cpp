// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/delta_net.h"

#include "tests/core/model/delta_net_oracle.h"
#include "tests/core/model/random_block.h"
#include "tests/core/model/tensor_difference.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

constexpr std::int64_t kRowsRead = 9;

ModelSpec recurrentSpec() {
  ModelSpec spec;
  spec.width = 12;
  spec.norm.eps = 1e-3;
  spec.deltaNet = DeltaNetSpec{
      .keyHeads = 2, .valueHeads = 6, .keyDim = 5, .valueDim = 7, .kernel = 4};
  spec.layers = {LayerSpec{.recurrent = true}};
  return spec;
}

LayerWeights recurrentWeights(const ModelSpec& spec, const Arithmetic& a) {
  LayerWeights weights;
  weights.W_o =
      randomLinear("W_o", spec.width, spec.deltaNet->values(), a, Bias::Without);
  weights.delta = randomDeltaNet(spec, a);
  return weights;
}

struct DeltaSetting {
  explicit DeltaSetting(DType dtype = DType::F64)
      : arithmetic(dtype, at::kCPU),
        weights(recurrentWeights(spec, arithmetic)),
        mixer(spec, LayerIndex(0), weights),
        x(randomTensor("x", {kRowsRead, spec.width}, arithmetic)),
        cache(spec, kRowsRead, arithmetic) {}
  DeltaSetting(const DeltaSetting&) = delete;

  Tensor context(std::int64_t first, std::int64_t count, std::int64_t visibleFrom = 0) {
    return mixer.forward(x.narrow(0, first, count),
                         {.contextRows = count,
                          .firstPosition = first,
                          .cache = &cache,
                          .visibleFrom = visibleFrom},
                         arithmetic);
  }
  Tensor reduced(std::vector<std::int64_t> kept, std::int64_t position) {
    return mixer.forward(x.narrow(0, position, 1),
                         {.reducedRows = 1,
                          .firstPosition = position,
                          .cache = &cache,
                          .kept = {std::move(kept), at::kCPU}},
                         arithmetic);
  }

  ModelSpec spec = recurrentSpec();
  Arithmetic arithmetic;
  LayerWeights weights;
  DeltaNet mixer;
  Tensor x;
  KvCache cache;
};

}  // namespace

class tst_delta_net : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void equalsTheRecurrenceInPlainLoops();
  void kernelsAndLibtorchAgree();
  void chunksAndStepsGiveTheSameBits();
  void reducedRowsSeeTheirKeptTokensOnly();
  void computingAPositionAgainGivesItsOutput();
  void tokensBeforeVisibleFromAreIgnored();
  void memoryOfRecentInputsGivesTheSameBits();
  void anotherSummationOrderDiffersByRounding();
  void bfloat16KeepsTheStateWide();
};

void tst_delta_net::equalsTheRecurrenceInPlainLoops() {
  const c10::InferenceMode inference;
  DeltaSetting setting;
  const Matrix expected =
      deltaNetOracle(setting.spec, setting.weights, toMatrix(setting.x));
  QVERIFY(distance(setting.context(0, kRowsRead), expected) < 1e-13);
  const Matrix alone =
      deltaNetOracle(setting.spec, setting.weights, toMatrix(setting.x).row(4));
  QVERIFY(distance(setting.reduced({}, 4), alone) < 1e-13);
}

void tst_delta_net::kernelsAndLibtorchAgree() {
  const c10::InferenceMode inference;
  const Arithmetic wide(DType::F64, at::kCPU);
  const auto random = [&](const char* name, std::vector<std::int64_t> shape) {
    return randomTensor(name, shape, wide);
  };
  const DeltaTokens tokens{random("q", {4, 3, 5}), random("k", {4, 3, 5}),
                           random("v", {4, 3, 7}), random("alpha", {4, 3}).sigmoid(),
                           random("beta", {4, 3}).sigmoid()};
  const Tensor before = random("state", {3, 5, 7}), untouched = before.clone();
  for (SummationOrder order : {SummationOrder::Standard, SummationOrder::Alternate}) {
    Tensor byKernel, byLibtorch;
    const Tensor o = deltaRuleOnHost({before, &byKernel}, tokens, order);
    const Tensor expected = deltaRuleByLibtorch({before, &byLibtorch}, tokens, order);
    QVERIFY(largestDifference(o, expected) < 1e-13);
    QVERIFY(largestDifference(byKernel, byLibtorch) < 1e-13);
    QVERIFY(at::equal(before, untouched));
    QVERIFY(largestDifference(byKernel, before) > 0.01);
  }
}

void tst_delta_net::chunksAndStepsGiveTheSameBits() {
  const c10::InferenceMode inference;
  DeltaSetting whole(DType::F32), parts(DType::F32);
  // Eight rows go through the same kernels as one row.
  const Tensor together = whole.context(0, 8);
  const Tensor apart =
      at::cat({parts.context(0, 3), parts.context(3, 1), parts.context(4, 4)});
  QVERIFY(at::equal(together, apart));
}

void tst_delta_net::reducedRowsSeeTheirKeptTokensOnly() {
  const c10::InferenceMode inference;
  DeltaSetting setting;
  setting.context(0, 8);
  const auto expected = [&](const std::vector<std::int64_t>& rows) {
    const Tensor seen = setting.x.index_select(0, at::tensor(rows, at::kLong));
    const Matrix all = deltaNetOracle(setting.spec, setting.weights, toMatrix(seen));
    return Matrix(all.row(all.rows() - 1));
  };
  const auto check = [&](std::vector<std::int64_t> kept) {
    const Tensor found = setting.reduced(kept, 8);
    kept.push_back(8);
    return distance(found, expected(kept)) < 1e-13;
  };
  QVERIFY(check({0, 1, 2}));
  QVERIFY(check({0, 1, 2, 6}));  // continues from the state of the line above
  QVERIFY(check({1, 3, 5, 7}));
  QVERIFY(check({0, 1, 2, 3, 4, 5, 6, 7}));
  const Tensor all = setting.reduced({0, 1, 2, 3, 4, 5, 6, 7}, 8);
  QVERIFY(at::equal(all, setting.context(8, 1)));
}

void tst_delta_net::computingAPositionAgainGivesItsOutput() {
  const c10::InferenceMode inference;
  DeltaSetting setting;
  const Tensor whole = setting.context(0, kRowsRead);
  for (const std::int64_t first : {8, 7, 3, 5, 0})
    QVERIFY(largestDifference(setting.context(first, 1), whole.narrow(0, first, 1)) <
            1e-14);
}

void tst_delta_net::tokensBeforeVisibleFromAreIgnored() {
  const c10::InferenceMode inference;
  DeltaSetting setting;
  setting.context(0, kRowsRead);
  const Matrix expected =
      deltaNetOracle(setting.spec, setting.weights, toMatrix(setting.x.narrow(0, 4, 3)));
  QVERIFY(distance(setting.context(4, 3, 4), expected) < 1e-13);
}

void tst_delta_net::memoryOfRecentInputsGivesTheSameBits() {
  const c10::InferenceMode inference;
  for (const DType dtype : {DType::F64, DType::BF16}) {
    DeltaSetting all(dtype), recent(dtype);
    recent.cache = KvCache(recent.spec, kRowsRead, recent.arithmetic, HeldInputs::Recent);
    for (const auto& [first, count] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {0, 1}, {1, 5}, {6, 1}, {7, 2}}) {
      QVERIFY(at::equal(recent.context(first, count), all.context(first, count)));
      QVERIFY(at::equal(recent.reduced({}, first), all.reduced({}, first)));
    }
    recent.cache.setLength(0);  // the text is read again
    QVERIFY(at::equal(recent.context(0, 4), all.context(0, 4)));
  }
}

void tst_delta_net::anotherSummationOrderDiffersByRounding() {
  const c10::InferenceMode inference;
  DeltaSetting setting(DType::F32), other(DType::F32);
  other.arithmetic = other.arithmetic.with(SummationOrder::Alternate);
  const double difference =
      largestDifference(setting.context(0, kRowsRead), other.context(0, kRowsRead));
  QVERIFY(difference > 0.0);
  QVERIFY(difference < 1e-5);
}

void tst_delta_net::bfloat16KeepsTheStateWide() {
  const c10::InferenceMode inference;
  DeltaSetting narrow(DType::BF16);
  const Matrix expected = deltaNetOracle(narrow.spec, narrow.weights, toMatrix(narrow.x));
  const Tensor found = narrow.context(0, kRowsRead);
  QVERIFY(distance(found, expected) < 0.2);
  QVERIFY(at::equal(found, narrow.arithmetic.round(found)));
  const Tensor state = narrow.cache.recurrent(LayerIndex(0)).state(0, kRowsRead, {});
  QVERIFY(!at::equal(state, narrow.arithmetic.round(state)));
}

EQUIPATCH_TEST(tst_delta_net)
#include "tst_delta_net.moc"
