// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/kernel/kernel_oracle.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace equipatch::test {
namespace {

struct Format {
  int fractionBits;
  int exponentBits;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  int smallestExponent() const { return 1 - bias(); }
  double largest() const {
    return std::ldexp(2.0 - std::ldexp(1.0, -fractionBits), bias());
  }
  std::uint64_t allExponent() const { return (std::uint64_t{1} << exponentBits) - 1; }
};

Format formatOf(DType dtype) {
  switch (dtype) {
    case DType::F64:
      return {52, 11};
    case DType::F16:
      return {10, 5};
    case DType::BF16:
      return {7, 8};
    default:
      return {23, 8};
  }
}

}  // namespace

double nearestOf(DType dtype, double value) {
  if (value == 0.0 || !std::isfinite(value) || dtype == DType::F64) return value;
  const Format format = formatOf(dtype);
  const int exponent = std::max(std::ilogb(value), format.smallestExponent());
  const double spacing = std::ldexp(1.0, exponent - format.fractionBits);
  const double nearest = std::nearbyint(value / spacing) * spacing;
  if (std::abs(nearest) > format.largest())
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  return std::copysign(nearest, value);
}

std::uint64_t encoded(DType dtype, double value) {
  const Format format = formatOf(dtype);
  const std::uint64_t sign = std::uint64_t{std::signbit(value)}
                             << (format.fractionBits + format.exponentBits);
  const std::uint64_t special = format.allExponent() << format.fractionBits;
  if (std::isnan(value)) return sign | special | special >> 1;
  if (std::isinf(value)) return sign | special;
  if (value == 0.0) return sign;
  const int exponent = std::max(std::ilogb(value), format.smallestExponent());
  const auto scaled = static_cast<std::uint64_t>(
      std::ldexp(std::abs(value), format.fractionBits - exponent));
  // The leading one of a normal number adds 1 to the exponent field.
  const auto field = static_cast<std::uint64_t>(exponent - format.smallestExponent());
  return sign | ((field << format.fractionBits) + scaled);
}

double decoded(DType dtype, std::uint64_t bits) {
  const Format format = formatOf(dtype);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << format.fractionBits) - 1);
  const std::uint64_t field = bits >> format.fractionBits & format.allExponent();
  const bool negative = bits >> (format.fractionBits + format.exponentBits) & 1;
  double magnitude = 0.0;
  if (field == format.allExponent())
    magnitude = fraction ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else if (field == 0)
    magnitude = std::ldexp(static_cast<double>(fraction),
                           format.smallestExponent() - format.fractionBits);
  else
    magnitude =
        std::ldexp(1.0 + std::ldexp(static_cast<double>(fraction), -format.fractionBits),
                   static_cast<int>(field) - format.bias());
  return negative ? -magnitude : magnitude;
}

WeightMatrix StoredMatrix::weights() const {
  return {bytes.data(), dtype, values.rows(), values.cols()};
}

StoredMatrix stored(DType dtype, const Eigen::MatrixXd& values) {
  StoredMatrix matrix{dtype, values, {}};
  const std::size_t size = byteSize(dtype);
  matrix.bytes.resize(static_cast<std::size_t>(values.size()) * size);
  std::byte* to = matrix.bytes.data();
  for (Eigen::Index output = 0; output < values.rows(); ++output)
    for (Eigen::Index input = 0; input < values.cols(); ++input, to += size) {
      const std::uint64_t bits = encoded(dtype, values(output, input));
      std::memcpy(to, &bits, size);
    }
  return matrix;
}

Eigen::MatrixXd Source::matrix(std::int64_t rows, std::int64_t columns) {
  Eigen::MatrixXd values(rows, columns);
  for (double& value : values.reshaped()) value = m_normal(m_engine);
  return values;
}

StoredMatrix Source::storedMatrix(DType dtype, std::int64_t outputs,
                                  std::int64_t inputs) {
  return stored(dtype, matrix(outputs, inputs).unaryExpr([&](double value) {
    return nearestOf(dtype, value);
  }));
}

std::vector<InstructionSet> runnableSets() {
  std::vector<InstructionSet> sets;
  for (InstructionSet set :
       {InstructionSet::Plain, InstructionSet::Avx2, InstructionSet::Avx512})
    if (cpuSupports(set)) sets.push_back(set);
  return sets;
}

const KernelTable& tableOf([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::Avx512) return kernelTableAvx512();
  if (set == InstructionSet::Avx2) return kernelTableAvx2();
#endif
  return kernelTablePlain();
}

std::string described(InstructionSet set, const WeightMatrix& W) {
  return "instruction set " + std::to_string(static_cast<int>(set)) + ", " +
         std::string(safetensorsName(W.dtype)) + " " + std::to_string(W.outputs) + "×" +
         std::to_string(W.inputs);
}

}  // namespace equipatch::test
