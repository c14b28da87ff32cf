// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/kernel/kernel_table.h"
#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::Packed;
using test::Source;

namespace {

/// Bounds the rounding error of a sum of products.
/// @param size the sum of the products' magnitudes
template <typename T>
double allowance(std::int64_t terms, double size) {
  return std::numeric_limits<T>::epsilon() * (2.0 + double(terms)) * size;
}

template <typename T>
const WeightKernels<T>& plainKernels(DType dtype) {
  const KernelTable& table = kernelTablePlain();
  if constexpr (sizeof(T) == sizeof(double))
    return table.f64;
  else
    return dtype == DType::F32    ? table.f32
           : dtype == DType::BF16 ? table.bf16
                                  : table.f16;
}

/// Calls check(T{}, dtype) for each type T of x and each dtype of its weights.
template <typename Check>
void forEveryDType(Check check) {
  for (const DType dtype : test::kDtypes<float>) check(float{}, dtype);
  check(double{}, DType::F64);
}

/// True if y [rows, outputs] equals x Wᵀ up to rounding.
template <typename T>
bool isProduct(const std::vector<T>& y, const std::vector<T>& x,
               const Eigen::MatrixXd& W) {
  const std::int64_t inputs = W.cols(), outputs = W.rows();
  for (std::int64_t row = 0; row < std::ssize(x) / inputs; ++row)
    for (std::int64_t output = 0; output < outputs; ++output) {
      long double sum = 0, size = 0;
      for (std::int64_t input = 0; input < inputs; ++input) {
        const long double term =
            (long double){x[row * inputs + input]} * W(output, input);
        sum += term;
        size += std::abs(term);
      }
      if (!(std::abs(double(y[row * outputs + output] - sum)) <=
            allowance<T>(inputs, double(size))))
        return false;
    }
  return true;
}

template <typename T>
void checkProducts(DType dtype) {
  const WeightKernels<T>& kernels = plainKernels<T>(dtype);
  for (const std::int64_t inputs : {1, 8, 31, 200})
    for (const std::int64_t rows : {1, 2, 3, 4, 5, 9})
      for (const SummationOrder order : test::kOrders) {
        constexpr std::int64_t kOutputs = 7;
        Source source(static_cast<unsigned>(inputs + rows));
        const test::StoredMatrix W = source.storedMatrix(dtype, kOutputs, inputs);
        const std::vector<T> x = source.vector<T>(rows * inputs);
        const Packed<T> packed(kernels, x, inputs);
        std::vector<T> y(static_cast<std::size_t>(rows * kOutputs));
        kernels.multiply({.weights = W.bytes.data(),
                          .outputs = kOutputs,
                          .inputs = inputs,
                          .packed = packed.data(),
                          .rows = rows,
                          .y = y.data(),
                          .yStride = kOutputs,
                          .order = order});
        QVERIFY2(isProduct(y, x, W.values),
                 test::described(InstructionSet::Plain, W.weights()).c_str());
      }
}

/// round(W + u wᵀ), where the product is rounded to T, then the sum.
template <typename T>
Eigen::MatrixXd patchedMatrix(const test::StoredMatrix& W, const std::vector<T>& u,
                              const std::vector<T>& w) {
  Eigen::MatrixXd patched = W.values;
  for (Eigen::Index output = 0; output < patched.rows(); ++output)
    for (Eigen::Index input = 0; input < patched.cols(); ++input) {
      const T change = static_cast<T>(double{u[output]} * double{w[input]});
      const T sum = static_cast<T>(patched(output, input) + double{change});
      patched(output, input) = test::nearestOf(W.dtype, double{sum});
    }
  return patched;
}

template <typename T>
void checkPatched(DType dtype) {
  const WeightKernels<T>& kernels = plainKernels<T>(dtype);
  constexpr std::int64_t kOutputs = 5;
  for (const std::int64_t inputs : {3, 8, 45}) {
    Source source(static_cast<unsigned>(inputs));
    const test::StoredMatrix W = source.storedMatrix(dtype, kOutputs, inputs);
    const auto u = source.vector<T>(kOutputs), w = source.vector<T>(inputs);
    const auto x = source.vector<T>(inputs);
    const Packed<T> packedW(kernels, w, inputs), packedX(kernels, x, inputs);
    const test::StoredMatrix expected = test::stored(dtype, patchedMatrix(W, u, w));
    std::vector<T> y(kOutputs);
    kernels.multiplyPatched({.weights = W.bytes.data(),
                             .outputs = kOutputs,
                             .inputs = inputs,
                             .packed = packedX.data(),
                             .rows = 1,
                             .y = y.data(),
                             .yStride = kOutputs,
                             .u = u.data(),
                             .packedW = packedW.data()});
    QVERIFY(isProduct(y, x, expected.values));
  }
}

/// y = p V is x Wᵀ with x = p and W = Vᵀ.
template <typename T>
void checkWeightedSums(DType dtype) {
  for (const std::int64_t count : {1, 5, 128, 300})
    for (const std::int64_t width : {4, 33})
      for (const SummationOrder order : test::kOrders) {
        constexpr std::int64_t kRows = 3;
        Source source(static_cast<unsigned>(count + width));
        const test::StoredMatrix V = source.storedMatrix(dtype, count, width);
        const std::vector<T> p = source.vector<T>(kRows * count);
        std::vector<T> y(static_cast<std::size_t>(kRows * width));
        plainKernels<T>(dtype).sumRows({.values = V.bytes.data(),
                                        .count = count,
                                        .width = width,
                                        .columns = width,
                                        .p = p.data(),
                                        .rows = kRows,
                                        .y = y.data(),
                                        .order = order});
        QVERIFY(isProduct<T>(y, p, V.values.transpose()));
      }
}

bool isNear(double value, long double expected, long double relative) {
  return std::abs(value - expected) <= relative * std::abs(expected);
}

/// Relative tolerance: for float, the kernels' exp has an error of about 1e-11.
template <typename T>
constexpr long double kExponential = sizeof(T) == sizeof(float) ? 1e-10L : 4e-15L;

template <typename T>
long double logOfSum(const std::vector<T>& logits) {
  long double sum = 0;
  for (const T logit : logits) sum += std::exp((long double){logit});
  return std::log(sum);
}

template <typename T>
void checkSummaries(const LogitKernels<T>& kernels) {
  for (const std::int64_t count : {1, 2, 7, 8, 9, 31, 32, 33, 1000}) {
    const std::vector<T> logits = Source(7).vector<T>(count);
    const LogitChunk chunk = kernels.summarise(logits.data(), count);
    const double max = *std::max_element(logits.begin(), logits.end());
    long double sum = 0;
    for (const T logit : logits) sum += std::exp((long double){logit} - max);
    QVERIFY(chunk.finite && chunk.max == max);
    QVERIFY(isNear(chunk.sum, sum, kExponential<T>));
  }
}

template <typename T>
void checkNotFinite(const LogitKernels<T>& kernels) {
  constexpr std::int64_t kCount = 37;
  for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")})
    for (std::int64_t at = 0; at < kCount; ++at) {
      std::vector<T> logits = Source(8).vector<T>(kCount);
      logits[at] = static_cast<T>(bad);
      QVERIFY(!kernels.summarise(logits.data(), kCount).finite);
    }
}

template <typename T>
void checkDifferences(const LogitKernels<T>& kernels) {
  for (const std::int64_t count : {1, 7, 8, 9, 33, 1000}) {
    Source source(9);
    std::vector<T> a = source.vector<T>(count), b = source.vector<T>(count);
    for (std::int64_t token = 0; token < count; token += 3)  // close to a
      b[token] = a[token] + b[token] / 1000;
    const LogitPair<T> pair{a.data(), b.data(), count, double(logOfSum(a)),
                            double(logOfSum(b))};
    double linf = 0.0;
    long double distance = 0, divergence = 0;
    for (std::int64_t token = 0; token < count; ++token) {
      linf = std::max(linf, std::abs(double{a[token]} - double{b[token]}));
      const long double logP = a[token] - (long double){pair.logSumExpA};
      const long double logQ = b[token] - (long double){pair.logSumExpB};
      const long double p = std::exp(logP), q = std::exp(logQ);
      distance += std::abs(p - q);
      divergence += p * (logP - logQ) + q - p;
    }
    const DifferenceChunk chunk = kernels.compare(pair);
    QVERIFY(chunk.linf == linf);
    // A single token has probability 1 in both rows; only rounding makes a difference.
    const long double rounding = count == 1 ? 1e-15L : 0;
    QVERIFY(std::abs(chunk.distance - distance) <=
            100 * kExponential<T> * distance + rounding);
    QVERIFY(std::abs(chunk.divergence - divergence) <=
            100 * kExponential<T> * divergence + rounding);
  }
}

template <typename T>
void checkGates(GateKernel<T> kernels) {
  for (const std::int64_t count : {1, 4, 7, 8, 33, 500})
    for (const SelfGate gate : {SelfGate{}, SelfGate{1.702}, SelfGate{1.6, 0.07}}) {
      const std::vector<T> x = Source(5).vector<T>(count);
      std::vector<T> y(x.size() + 1, T{7});
      kernels(gate, x.data(), count, y.data());
      for (std::int64_t i = 0; i < count; ++i) {
        const long double at = x[i], t = gate.a * at + gate.b * at * at * at;
        const long double rounding =
            kExponential<T> + std::numeric_limits<T>::epsilon() * 0.51L;
        QVERIFY(isNear(y[i], at / (1 + std::exp(-t)), rounding));
      }
      QVERIFY(y.back() == T{7});
    }
}

}  // namespace

/// Compares products, logit kernels and gates of InstructionSet::Plain with their
/// definitions.
class tst_plain_lanes : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void productsAreSumsOfProducts() {
    forEveryDType(
        [](auto number, DType dtype) { checkProducts<decltype(number)>(dtype); });
  }
  void patchedProductsUseTheRoundedMatrix() {
    forEveryDType(
        [](auto number, DType dtype) { checkPatched<decltype(number)>(dtype); });
  }
  void weightedSumsAreSumsOfProducts() {
    forEveryDType(
        [](auto number, DType dtype) { checkWeightedSums<decltype(number)>(dtype); });
  }
  void summariesFollowTheirFormulas() {
    checkSummaries(kernelTablePlain().logitsF32);
    checkSummaries(kernelTablePlain().logitsF64);
  }
  void infinityAndNaNAreSeenAnywhere() {
    checkNotFinite(kernelTablePlain().logitsF32);
    checkNotFinite(kernelTablePlain().logitsF64);
  }
  void differencesFollowTheirFormulas() {
    checkDifferences(kernelTablePlain().logitsF32);
    checkDifferences(kernelTablePlain().logitsF64);
  }
  void gatesFollowTheirFormula() {
    checkGates(kernelTablePlain().gateF32);
    checkGates(kernelTablePlain().gateF64);
  }
};

EQUIPATCH_TEST(tst_plain_lanes)
#include "tst_plain_lanes.moc"
