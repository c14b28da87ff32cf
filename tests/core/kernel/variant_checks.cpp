#include "tests/core/kernel/variant_checks.h"

#include <QTest>
#include <cmath>

#include "core/kernel/scratch.h"
#include "tests/core/kernel/kernel_oracle.h"

namespace equipatch::test {
namespace {

template <typename T>
std::vector<T> product(const WeightKernels<T>& code, const WeightMatrix& W,
                       const std::vector<T>& x) {
  const std::int64_t padded = (W.inputs + code.block - 1) / code.block * code.block;
  const std::int64_t rows = std::ssize(x) / W.inputs;
  Scratch scratch;
  T* packed = scratch.of<T>(static_cast<std::size_t>(rows * padded));
  code.pack(x.data(), rows, W.inputs, packed);
  std::vector<T> y(static_cast<std::size_t>(rows * W.outputs));
  code.multiply({.weights = W.data,
                 .outputs = W.outputs,
                 .inputs = W.inputs,
                 .packed = packed,
                 .rows = rows,
                 .y = y.data(),
                 .yStride = W.outputs});
  return y;
}

/// Rows of unit vectors pick the columns of W.
template <typename T>
void checkColumns(const WeightKernels<T>& code, DType dtype) {
  constexpr std::int64_t kInputs = 77;
  const StoredMatrix W = Source(1).storedMatrix(dtype, 3, kInputs);
  std::vector<T> x(kInputs * kInputs);
  for (std::int64_t input = 0; input < kInputs; ++input) x[input * kInputs + input] = 1;
  const std::vector<T> y = product(code, W.weights(), x);
  for (std::int64_t input = 0; input < kInputs; ++input)
    for (int output = 0; output < 3; ++output)
      QVERIFY(y[input * 3 + output] == static_cast<T>(W.values(output, input)));
}

void checkRounded(const WeightKernels<float>& code, DType dtype, std::int64_t count) {
  std::vector<float> numbers = Source(4).vector<float>(count);
  for (std::int64_t i = 0; i < count; ++i)
    numbers[i] = std::ldexp(numbers[i], static_cast<int>(i * 37 % 290) - 150);
  std::vector<float> rounded(numbers.size() + 1, 7.0f);
  code.round(numbers.data(), count, rounded.data());
  for (std::int64_t i = 0; i < count; ++i)
    QVERIFY(rounded[i] == static_cast<float>(nearestOf(dtype, numbers[i])));
  QVERIFY(rounded.back() == 7.0f);
  code.round(numbers.data(), count, numbers.data());
  rounded.pop_back();
  QVERIFY(numbers == rounded);
}

template <typename T>
void checkSameLogits(const LogitKernels<T>& code, const LogitKernels<T>& plain) {
  Source source(2);
  for (std::int64_t count : {1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 1000}) {
    std::vector<T> a = source.vector<T>(count), b = source.vector<T>(count);
    for (std::int64_t token = 0; token < count; token += 3)
      b[token] = a[token] + b[token] / 1000;
    const LogitChunk one = code.summarise(a.data(), count);
    const LogitChunk two = plain.summarise(a.data(), count);
    QVERIFY(one.max == two.max && one.sum == two.sum && one.finite && two.finite);
    const LogitPair<T> pair{a.data(), b.data(), count, 1.5, 1.25};
    const DifferenceChunk three = code.compare(pair), four = plain.compare(pair);
    QVERIFY(three.linf == four.linf && three.distance == four.distance &&
            three.divergence == four.divergence);
  }
}

template <typename T>
void checkSameGates(GateKernel<T> code, GateKernel<T> plain) {
  for (const std::int64_t count : {1, 4, 7, 8, 15, 16, 31, 32, 33, 500}) {
    std::vector<T> x = Source(5).vector<T>(count);
    for (std::size_t i = 0; i < x.size(); i += 5) x[i] *= i % 2 == 0 ? 1e4 : 60;
    for (const SelfGate gate : {SelfGate{1.6, 0.07}, SelfGate{1.702}}) {
      std::vector<T> one(x.size()), two(x.size());
      code(gate, x.data(), count, one.data());
      plain(gate, x.data(), count, two.data());
      QVERIFY(sameBits(one, two));
    }
  }
}

}  // namespace

void checkGates(const KernelTable& code) {
  checkSameGates(code.gateF32, kernelTablePlain().gateF32);
  checkSameGates(code.gateF64, kernelTablePlain().gateF64);
}

void checkHalves(const KernelTable& code) {
  for (DType dtype : {DType::BF16, DType::F16}) {
    std::vector<std::uint16_t> weights(65536);
    for (unsigned bits = 0; bits < 65536; ++bits)
      weights[bits] = static_cast<std::uint16_t>(bits);
    const WeightMatrix W{weights.data(), dtype, 65536, 1};
    const auto y = product<float>(dtype == DType::F16 ? code.f16 : code.bf16, W, {1.0f});
    for (unsigned bits = 0; bits < 65536; ++bits) {
      const double expected = decoded(dtype, bits);
      QVERIFY(std::isnan(expected) ? std::isnan(y[bits]) : y[bits] == expected);
    }
  }
}

void checkRounding(const KernelTable& code) {
  for (const std::int64_t count : {0, 1, 3, 4, 7, 8, 15, 16, 17, 33, 1000}) {
    checkRounded(code.f32, DType::F32, count);
    checkRounded(code.bf16, DType::BF16, count);
    checkRounded(code.f16, DType::F16, count);
  }
}

void checkPacking(const KernelTable& code) {
  checkColumns(code.f32, DType::F32);
  checkColumns(code.bf16, DType::BF16);
  checkColumns(code.f16, DType::F16);
  checkColumns(code.f64, DType::F64);
}

void checkLogits(const KernelTable& code) {
  checkSameLogits(code.logitsF32, kernelTablePlain().logitsF32);
  checkSameLogits(code.logitsF64, kernelTablePlain().logitsF64);
}

void checkSearch(const KernelTable& code) {
  std::vector<float> values(300, 1.0f);
  values[63] = 2.0f;
  values[64] = 3.0f;
  values[299] = 4.0f;
  const auto find = [&](std::int64_t from, float threshold) {
    return code.logitsF32.findGreater(values, from, threshold);
  };
  QCOMPARE(find(0, 0.5f), 0);
  QCOMPARE(find(0, 1.0f), 63);
  QCOMPARE(find(64, 1.0f), 64);
  QCOMPARE(find(65, 1.0f), 299);
  QCOMPARE(find(0, 4.0f), 300);
  QCOMPARE(find(300, 0.0f), 300);
}

}  // namespace equipatch::test
