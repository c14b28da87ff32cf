// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/delta_net.h"

#include <cmath>

#include "tests/core/model/eigen_tensor.h"
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
  const DeltaNetSpec& delta = *spec.deltaNet;
  const auto linear = [&](const char* name, std::int64_t outputs, std::int64_t inputs) {
    return randomLinear(name, outputs, inputs, a, Bias::Without);
  };
  LayerWeights weights;
  weights.W_o = linear("W_o", spec.width, delta.values());
  weights.delta = {.W_in = linear("W_in", delta.channels(), spec.width),
                   .W_z = linear("W_z", delta.values(), spec.width),
                   .W_b = linear("W_b", delta.valueHeads, spec.width),
                   .W_a = linear("W_a", delta.valueHeads, spec.width),
                   .conv = randomTensor("conv", {delta.kernel, delta.channels()}, a, 0.6),
                   .decay = -at::exp(randomTensor("A_log", {delta.valueHeads}, a, 0.5)),
                   .dt_bias = randomTensor("dt_bias", {delta.valueHeads}, a, 0.5),
                   .norm = randomTensor("norm", {delta.valueDim}, a, 0.5)};
  return weights;
}

double silu(double x) {
  return x / (1.0 + std::exp(-x));
}

/// The recurrence in plain loops over tokens that see each other in this order.
Matrix oracle(const ModelSpec& spec, const LayerWeights& weights, const Matrix& h) {
  const DeltaNetSpec& d = *spec.deltaNet;
  const auto product = [&](const Linear& W) {
    return Matrix(h * toMatrix(W.weight).transpose());
  };
  const Matrix u = product(weights.delta.W_in), z = product(weights.delta.W_z);
  const Matrix b = product(weights.delta.W_b), a = product(weights.delta.W_a);
  const Matrix conv = toMatrix(weights.delta.conv), decay = toMatrix(weights.delta.decay);
  const Matrix dt = toMatrix(weights.delta.dt_bias), m = toMatrix(weights.delta.norm);
  std::vector<Matrix> S(static_cast<std::size_t>(d.valueHeads),
                        Matrix::Zero(d.keyDim, d.valueDim));
  Matrix out(h.rows(), d.values());
  for (Eigen::Index t = 0; t < h.rows(); ++t) {
    Matrix c = Matrix::Zero(1, u.cols());
    for (Eigen::Index j = 0; j < d.kernel; ++j)
      if (const Eigen::Index from = t - d.kernel + 1 + j; from >= 0)
        c.array() += conv.row(j).array() * u.row(from).array();
    c = c.unaryExpr(&silu);
    for (Eigen::Index head = 0; head < d.valueHeads; ++head) {
      const Eigen::Index from = head / (d.valueHeads / d.keyHeads) * d.keyDim;
      const auto unit = [&](Eigen::Index first) {
        const Eigen::VectorXd x = c.row(0).segment(first, d.keyDim).transpose();
        return Eigen::VectorXd(x / std::sqrt(x.squaredNorm() + 1e-6));
      };
      const Eigen::VectorXd q = unit(from) / std::sqrt(static_cast<double>(d.keyDim));
      const Eigen::VectorXd k = unit(d.keys() + from);
      const Eigen::VectorXd v =
          c.row(0).segment(2 * d.keys() + head * d.valueDim, d.valueDim).transpose();
      const double alpha =
          std::exp(decay(0, head) * std::log1p(std::exp(a(t, head) + dt(0, head))));
      const double beta = 1.0 / (1.0 + std::exp(-b(t, head)));
      Matrix& state = S[static_cast<std::size_t>(head)];
      state *= alpha;
      const Eigen::VectorXd known = state.transpose() * k;
      state += k * (beta * (v - known)).transpose();
      Eigen::VectorXd o = state.transpose() * q;
      o /= std::sqrt(o.squaredNorm() / static_cast<double>(d.valueDim) + spec.norm.eps);
      for (Eigen::Index i = 0; i < d.valueDim; ++i)
        out(t, head * d.valueDim + i) =
            o(i) * m(0, i) * silu(z(t, head * d.valueDim + i));
    }
  }
  return out * toMatrix(weights.W_o.weight).transpose();
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
  void chunksAndStepsGiveTheSameBits();
  void keptTokensHaveAStateOfTheirOwn();
  void earlierPositionsAreComputedAgain();
  void whatIsNotVisibleLeavesNoState();
  void anotherSummationOrderDiffersByRounding();
  void halfPrecisionKeepsTheStateWide();
};

void tst_delta_net::equalsTheRecurrenceInPlainLoops() {
  const c10::InferenceMode inference;
  DeltaSetting setting;
  const Matrix expected = oracle(setting.spec, setting.weights, toMatrix(setting.x));
  QVERIFY(distance(setting.context(0, kRowsRead), expected) < 1e-13);
  const Matrix alone = oracle(setting.spec, setting.weights, toMatrix(setting.x).row(4));
  QVERIFY(distance(setting.reduced({}, 4), alone) < 1e-13);
}

void tst_delta_net::chunksAndStepsGiveTheSameBits() {
  const c10::InferenceMode inference;
  DeltaSetting whole(DType::F32), parts(DType::F32);
  // As many rows as go through the same kernels as one.
  const Tensor together = whole.context(0, 8);
  const Tensor apart =
      at::cat({parts.context(0, 3), parts.context(3, 1), parts.context(4, 4)});
  QVERIFY(at::equal(together, apart));
}

void tst_delta_net::keptTokensHaveAStateOfTheirOwn() {
  const c10::InferenceMode inference;
  DeltaSetting setting;
  setting.context(0, 8);
  const auto expected = [&](const std::vector<std::int64_t>& rows) {
    const Tensor seen = setting.x.index_select(0, at::tensor(rows, at::kLong));
    const Matrix all = oracle(setting.spec, setting.weights, toMatrix(seen));
    return Matrix(all.row(all.rows() - 1));
  };
  const auto check = [&](std::vector<std::int64_t> kept) {
    const Tensor found = setting.reduced(kept, 8);
    kept.push_back(8);
    return distance(found, expected(kept)) < 1e-13;
  };
  QVERIFY(check({0, 1, 2}));
  QVERIFY(check({0, 1, 2, 6}));  // goes on from the state before
  QVERIFY(check({1, 3, 5, 7}));
  QVERIFY(check({0, 1, 2, 3, 4, 5, 6, 7}));
  const Tensor all = setting.reduced({0, 1, 2, 3, 4, 5, 6, 7}, 8);
  QVERIFY(at::equal(all, setting.context(8, 1)));
}

void tst_delta_net::earlierPositionsAreComputedAgain() {
  const c10::InferenceMode inference;
  DeltaSetting setting;
  const Tensor whole = setting.context(0, kRowsRead);
  for (const std::int64_t first : {8, 7, 3, 5, 0})
    QVERIFY(largestDifference(setting.context(first, 1), whole.narrow(0, first, 1)) <
            1e-14);
}

void tst_delta_net::whatIsNotVisibleLeavesNoState() {
  const c10::InferenceMode inference;
  DeltaSetting setting;
  setting.context(0, kRowsRead);
  const Matrix expected =
      oracle(setting.spec, setting.weights, toMatrix(setting.x.narrow(0, 4, 3)));
  QVERIFY(distance(setting.context(4, 3, 4), expected) < 1e-13);
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

void tst_delta_net::halfPrecisionKeepsTheStateWide() {
  const c10::InferenceMode inference;
  DeltaSetting narrow(DType::BF16);
  const Matrix expected = oracle(narrow.spec, narrow.weights, toMatrix(narrow.x));
  const Tensor found = narrow.context(0, kRowsRead);
  QVERIFY(distance(found, expected) < 0.2);
  QVERIFY(at::equal(found, narrow.arithmetic.round(found)));
}

EQUIPATCH_TEST(tst_delta_net)
#include "tst_delta_net.moc"
