// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/kernel/kernel_table.h"
#include "core/kernel/threads.h"
#include "core/kernel/weight_products.h"

namespace equipatch::test {

/// The nearest value of a floating dtype, ties to even, computed in double precision.
double nearestOf(DType dtype, double value);

/// The bits of `value`, which `dtype` must be able to represent, in the low bytes.
std::uint64_t encoded(DType dtype, double value);
double decoded(DType dtype, std::uint64_t bits);

/// A matrix as stored in memory, and its exact values.
struct StoredMatrix {
  DType dtype = DType::F32;
  Eigen::MatrixXd values;  // [outputs, inputs], representable in dtype
  std::vector<std::byte> bytes;

  WeightMatrix weights() const;
};
StoredMatrix stored(DType dtype, const Eigen::MatrixXd& values);

/// Normally distributed float values, also for T = double; the same in every run.
class Source {
 public:
  explicit Source(unsigned seed) : m_engine(seed) {}
  Eigen::MatrixXd matrix(std::int64_t rows, std::int64_t columns);
  StoredMatrix storedMatrix(DType dtype, std::int64_t outputs, std::int64_t inputs);
  template <typename T>
  std::vector<T> vector(std::int64_t count) {
    std::vector<T> values(static_cast<std::size_t>(count));
    for (T& value : values) value = m_normal(m_engine);
    return values;
  }

 private:
  std::mt19937 m_engine;
  std::normal_distribution<float> m_normal;
};

template <typename T>
std::vector<T> rowOf(const std::vector<T>& x, std::int64_t row, std::int64_t width) {
  return {x.begin() + row * width, x.begin() + (row + 1) * width};
}

template <typename T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The dtypes of weights by which rows of T can be multiplied.
template <typename T>
inline constexpr std::initializer_list<DType> kDtypes = {DType::F32, DType::BF16,
                                                         DType::F16};
template <>
inline constexpr std::initializer_list<DType> kDtypes<double> = {DType::F64};

inline constexpr SummationOrder kOrders[] = {SummationOrder::Standard,
                                             SummationOrder::Alternate};

/// The instruction sets that this CPU has.
std::vector<InstructionSet> runnableSets();

/// The kernels of an instruction set, even if this CPU lacks it.
const KernelTable& tableOf(InstructionSet set);

/// x [rows, inputs] as `pack` arranges it, aligned to a cache line.
template <typename T>
class Packed {
 public:
  Packed(const WeightKernels<T>& kernels, const std::vector<T>& x, std::int64_t inputs) {
    constexpr std::size_t kLine = 64;
    const std::int64_t rows = std::ssize(x) / inputs;
    const std::int64_t padded =
        (inputs + kernels.block - 1) / kernels.block * kernels.block;
    const auto size = static_cast<std::size_t>(rows * padded) * sizeof(T);
    m_memory.resize(size + kLine);
    void* at = m_memory.data();
    std::size_t space = m_memory.size();
    m_packed = static_cast<T*>(std::align(kLine, size, at, space));
    kernels.pack(x.data(), rows, inputs, m_packed);
  }
  const T* data() const { return m_packed; }
  T* data() { return m_packed; }

 private:
  std::vector<std::byte> m_memory;
  T* m_packed = nullptr;
};

class ForcedSet {
 public:
  explicit ForcedSet(InstructionSet set) { forceInstructionSet(set); }
  ~ForcedSet() { forceInstructionSet(std::nullopt); }
};

class Threads {
 public:
  explicit Threads(int count) : m_before(kernelThreads()) { setKernelThreads(count); }
  ~Threads() { setKernelThreads(m_before); }

 private:
  int m_before;
};

/// 0 and −0 differ; NaNs of the same bits are equal.
template <typename T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Such as "instruction set 2, BF16 7×13".
std::string described(InstructionSet set, const WeightMatrix& W);

}  // namespace equipatch::test
