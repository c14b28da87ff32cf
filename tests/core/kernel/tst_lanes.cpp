// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include "core/kernel/kernel_table.h"
#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

template <typename T>
std::vector<T> timesPacked(void (*multiply)(const DotTask<T>&), const WeightMatrix& W,
                           const void* packed, std::int64_t rows,
                           SummationOrder order = SummationOrder::Standard) {
  std::vector<T> y(static_cast<std::size_t>(rows * W.outputs));
  multiply({.weights = W.data,
            .outputs = W.outputs,
            .inputs = W.inputs,
            .packed = packed,
            .rows = rows,
            .y = y.data(),
            .yStride = W.outputs,
            .order = order});
  return y;
}

template <typename T>
std::vector<T> product(const WeightKernels<T>& kernels, const WeightMatrix& W,
                       const std::vector<T>& x) {
  const std::int64_t rows = std::ssize(x) / W.inputs;
  const Packed<T> packed(kernels, x, W.inputs);
  return timesPacked(kernels.multiply, W, packed.data(), rows);
}

/// The rows of x are unit vectors, so the products are the columns of W.
template <typename T>
void checkColumns(const WeightKernels<T>& kernels, DType dtype) {
  constexpr std::int64_t kInputs = 77;
  const StoredMatrix W = Source(1).storedMatrix(dtype, 3, kInputs);
  std::vector<T> x(kInputs * kInputs);
  for (std::int64_t input = 0; input < kInputs; ++input) x[input * kInputs + input] = 1;
  const std::vector<T> y = product(kernels, W.weights(), x);
  for (std::int64_t input = 0; input < kInputs; ++input)
    for (int output = 0; output < 3; ++output)
      QVERIFY(y[input * 3 + output] == static_cast<T>(W.values(output, input)));
}

void checkRounded(const WeightKernels<float>& kernels, DType dtype, std::int64_t count) {
  std::vector<float> values = Source(4).vector<float>(count);
  for (std::int64_t i = 0; i < count; ++i)
    values[i] = std::ldexp(values[i], static_cast<int>(i * 37 % 290) - 150);
  std::vector<float> rounded(values.size() + 1, 7.0f);
  kernels.round(values.data(), count, rounded.data());
  for (std::int64_t i = 0; i < count; ++i)
    QVERIFY(rounded[i] == static_cast<float>(nearestOf(dtype, values[i])));
  QVERIFY(rounded.back() == 7.0f);
  kernels.round(values.data(), count, values.data());
  rounded.pop_back();
  QVERIFY(values == rounded);
}

template <typename T>
void checkSameLogits(const LogitKernels<T>& kernels, const LogitKernels<T>& plain) {
  Source source(2);
  for (std::int64_t count : {1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 1000}) {
    std::vector<T> a = source.vector<T>(count), b = source.vector<T>(count);
    for (std::int64_t token = 0; token < count; token += 3)
      b[token] = a[token] + b[token] / 1000;
    const LogitChunk one = kernels.summarise(a.data(), count);
    const LogitChunk two = plain.summarise(a.data(), count);
    QVERIFY(one.max == two.max && one.sum == two.sum && one.finite && two.finite);
    const LogitPair<T> pair{a.data(), b.data(), count, 1.5, 1.25};
    const DifferenceChunk three = kernels.compare(pair), four = plain.compare(pair);
    QVERIFY(three.linf == four.linf && three.distance == four.distance &&
            three.divergence == four.divergence);
  }
}

template <typename T>
void checkSameGates(GateKernel<T> kernels, GateKernel<T> plain) {
  for (const std::int64_t count : {1, 4, 7, 8, 15, 16, 31, 32, 33, 500}) {
    std::vector<T> x = Source(5).vector<T>(count);
    for (std::size_t i = 0; i < x.size(); i += 5) x[i] *= i % 2 == 0 ? 1e4 : 60;
    for (const SelfGate gate : {SelfGate{1.6, 0.07}, SelfGate{1.702}}) {
      std::vector<T> one(x.size()), two(x.size());
      kernels(gate, x.data(), count, one.data());
      plain(gate, x.data(), count, two.data());
      QVERIFY(sameBits(one, two));
    }
  }
}

void checkGates(const KernelTable& table) {
  checkSameGates(table.gateF32, kernelTablePlain().gateF32);
  checkSameGates(table.gateF64, kernelTablePlain().gateF64);
}

/// Every float16 and bfloat16, times one.
void checkHalves(const KernelTable& table) {
  for (DType dtype : {DType::BF16, DType::F16}) {
    std::vector<std::uint16_t> weights(65536);
    for (unsigned bits = 0; bits < 65536; ++bits)
      weights[bits] = static_cast<std::uint16_t>(bits);
    const WeightMatrix W{weights.data(), dtype, 65536, 1};
    const auto y =
        product<float>(dtype == DType::F16 ? table.f16 : table.bf16, W, {1.0f});
    for (unsigned bits = 0; bits < 65536; ++bits) {
      const double expected = decoded(dtype, bits);
      QVERIFY(std::isnan(expected) ? std::isnan(y[bits]) : y[bits] == expected);
    }
  }
}

/// Values from underflow to overflow, in lengths around the width of a SIMD vector.
void checkRounding(const KernelTable& table) {
  for (const std::int64_t count : {0, 1, 3, 4, 7, 8, 15, 16, 17, 33, 1000}) {
    checkRounded(table.f32, DType::F32, count);
    checkRounded(table.bf16, DType::BF16, count);
    checkRounded(table.f16, DType::F16, count);
  }
}

/// Element i of x is multiplied by element i of W's rows, also after the first block.
void checkPacking(const KernelTable& table) {
  checkColumns(table.f32, DType::F32);
  checkColumns(table.bf16, DType::BF16);
  checkColumns(table.f16, DType::F16);
  checkColumns(table.f64, DType::F64);
}

/// Narrow packing stores x as bfloat16, wide packing as float32.
void checkNarrowProducts(const KernelTable& table) {
  const WeightKernels<float>& kernels = table.bf16;
  if (!kernels.packNarrow) QSKIP("these kernels do not pack narrow");
  for (const std::int64_t inputs : {1, 31, 32, 33, 77, 640})
    for (std::int64_t rows = 1; rows <= 9; ++rows) {
      const StoredMatrix W = Source(6).storedMatrix(DType::BF16, 9, inputs);
      std::vector<float> x = Source(7).vector<float>(rows * inputs);
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = std::ldexp(x[i], static_cast<int>(i * 37 % 260) - 140);
      kernels.round(x.data(), std::ssize(x), x.data());
      x.front() = -0.0f;
      x.back() = std::numeric_limits<float>::infinity();
      const Packed<float> wide(kernels, x, inputs);
      Packed<float> narrow(kernels, x, inputs);
      QVERIFY(kernels.packNarrow(x.data(), rows, inputs, narrow.data()));
      for (const SummationOrder order : kOrders)
        QVERIFY(
            sameBits(timesPacked(kernels.multiply, W.weights(), wide.data(), rows, order),
                     timesPacked(kernels.multiplyNarrow, W.weights(), narrow.data(), rows,
                                 order)));
    }
}

void checkNarrowPacking(const KernelTable& table) {
  const WeightKernels<float>& kernels = table.bf16;
  if (!kernels.packNarrow) QSKIP("these kernels do not pack narrow");
  constexpr std::int64_t kRows = 5, kInputs = 77;
  std::vector<float> x(kRows * kInputs, 1.0f + 0x1p-7f);
  Packed<float> packed(kernels, x, kInputs);
  QVERIFY(kernels.packNarrow(x.data(), kRows, kInputs, packed.data()));
  for (float& element : x) {
    for (const float wide : {1.0f + 0x1p-8f, 1.0f + 0x1p-23f, 0x1p-149f}) {
      element = wide;
      QVERIFY(!kernels.packNarrow(x.data(), kRows, kInputs, packed.data()));
    }
    element = 1.0f;
  }
}

void checkLogits(const KernelTable& table) {
  checkSameLogits(table.logitsF32, kernelTablePlain().logitsF32);
  checkSameLogits(table.logitsF64, kernelTablePlain().logitsF64);
}

void checkSearch(const KernelTable& table) {
  std::vector<float> values(300, 1.0f);
  values[63] = 2.0f;
  values[64] = 3.0f;
  values[299] = 4.0f;
  const auto find = [&](std::int64_t from, float threshold) {
    return table.logitsF32.findGreater(values, from, threshold);
  };
  QCOMPARE(find(0, 0.5f), 0);
  QCOMPARE(find(0, 1.0f), 63);
  QCOMPARE(find(64, 1.0f), 64);
  QCOMPARE(find(65, 1.0f), 299);
  QCOMPARE(find(0, 4.0f), 300);
  QCOMPARE(find(300, 0.0f), 300);
}

}  // namespace

/// Loops of core/kernel/lanes, called directly with each instruction set.
class tst_lanes : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void every16BitValueIsReadExactly_data() { sets(); }
  void every16BitValueIsReadExactly() { run(checkHalves); }
  void packedRowsAreMultipliedByTheirWeights_data() { sets(); }
  void packedRowsAreMultipliedByTheirWeights() { run(checkPacking); }
  void narrowPackingGivesTheBitsOfWidePacking_data() { vectorSets(); }
  void narrowPackingGivesTheBitsOfWidePacking() { run(checkNarrowProducts); }
  void narrowPackingRefusesValuesThatAreNotBfloat16_data() { vectorSets(); }
  void narrowPackingRefusesValuesThatAreNotBfloat16() { run(checkNarrowPacking); }
  void roundsToTheNearest_data() { sets(); }
  void roundsToTheNearest() { run(checkRounding); }
  void searchFindsTheFirstGreaterValue_data() { sets(); }
  void searchFindsTheFirstGreaterValue() { run(checkSearch); }
  void logitsGiveTheBitsOfThePlainLanes_data() { vectorSets(); }
  void logitsGiveTheBitsOfThePlainLanes() { run(checkLogits); }
  void gatesGiveTheBitsOfThePlainLanes_data() { vectorSets(); }
  void gatesGiveTheBitsOfThePlainLanes() { run(checkGates); }

 private:
  static void sets() {
    vectorSets();
    QTest::newRow("plain") << static_cast<int>(InstructionSet::Plain);
  }

  static void vectorSets() {
    QTest::addColumn<int>("set");
    QTest::newRow("AVX2") << static_cast<int>(InstructionSet::Avx2);
    QTest::newRow("AVX-512") << static_cast<int>(InstructionSet::Avx512);
  }

  static void run(void (*check)(const KernelTable&)) {
    QFETCH(int, set);
    const auto chosen = static_cast<InstructionSet>(set);
    if (!cpuSupports(chosen)) QSKIP("this CPU lacks the instructions");
    check(tableOf(chosen));
  }
};

EQUIPATCH_TEST(tst_lanes)
#include "tst_lanes.moc"
