// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/mxfp4.h"

#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "core/kernel/half_float.h"

namespace equipatch {
namespace {

constexpr std::array<float, 16> kCodes{0.0F,  0.5F,  1.0F,  1.5F,  2.0F,  3.0F,
                                       4.0F,  6.0F,  -0.0F, -0.5F, -1.0F, -1.5F,
                                       -2.0F, -3.0F, -4.0F, -6.0F};

/// A scaled code in an element type.
template <typename Element>
Element codeAs(float value);
template <>
float codeAs(float value) {
  return value;
}
template <>
double codeAs(float value) {
  return static_cast<double>(value);
}
/// BF16: the lower half of the float32 is zero.
template <>
std::uint16_t codeAs(float value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

float scaleOf(std::uint8_t stored) {
  return std::ldexp(1.0F, static_cast<int>(stored) - 127);
}

/// One row, block by block: a table of the block's 16 possible values, then look-ups.
template <typename Element, typename Convert>
void expandRow(const std::uint8_t* blocks, const std::uint8_t* scales,
               std::int64_t inputs, const Convert& convert, Element* to) {
  for (std::int64_t block = 0; block < inputs / kMxfp4Block; ++block) {
    const float scale = scaleOf(scales[block]);
    std::array<Element, 16> values;
    for (std::size_t code = 0; code < values.size(); ++code)
      values[code] = convert(kCodes[code] * scale);
    for (std::int64_t byte = 0; byte < kMxfp4Bytes; ++byte) {
      const std::uint8_t pair = blocks[block * kMxfp4Bytes + byte];
      *to++ = values[pair & 15U];
      *to++ = values[pair >> 4U];
    }
  }
}

template <typename Element, typename Convert>
void expandAs(const Mxfp4Matrix& W, WorkRange rows, const Convert& convert, void* to) {
  auto* out = static_cast<Element*>(to);
  const WorkShape shape{.items = rows.end - rows.begin, .bytesPerItem = W.inputs};
  parallelRanges(shape, [&](WorkRange some) {
    for (std::int64_t row = some.begin; row < some.end; ++row)
      expandRow(W.blocks + (rows.begin + row) * W.blockStride,
                W.scales + (rows.begin + row) * W.scaleStride, W.inputs, convert,
                out + row * W.inputs);
  });
}

}  // namespace

void expandRows(const Mxfp4Matrix& W, WorkRange rows, DType dtype, void* to) {
  switch (dtype) {
    case DType::F64:
      return expandAs<double>(W, rows, codeAs<double>, to);
    case DType::BF16:
      return expandAs<std::uint16_t>(W, rows, codeAs<std::uint16_t>, to);
    case DType::F16:
      return expandAs<std::uint16_t>(
          W, rows, [](float value) { return float16Bits(value); }, to);
    default:
      return expandAs<float>(W, rows, codeAs<float>, to);
  }
}

double squareSum(const Mxfp4Matrix& W) {
  std::vector<double> sums(static_cast<std::size_t>(W.outputs));
  parallelRanges({.items = W.outputs, .bytesPerItem = W.inputs / 2}, [&](WorkRange rows) {
    for (std::int64_t row = rows.begin; row < rows.end; ++row)
      for (std::int64_t block = 0; block < W.inputs / kMxfp4Block; ++block) {
        double sum = 0.0;
        const std::uint8_t* bytes = W.blocks + row * W.blockStride + block * kMxfp4Bytes;
        for (std::int64_t byte = 0; byte < kMxfp4Bytes; ++byte) {
          const double low = static_cast<double>(kCodes[bytes[byte] & 15U]);
          const double high = static_cast<double>(kCodes[bytes[byte] >> 4U]);
          sum += low * low + high * high;
        }
        const double scale =
            static_cast<double>(scaleOf(W.scales[row * W.scaleStride + block]));
        sums[static_cast<std::size_t>(row)] += sum * scale * scale;
      }
  });
  double all = 0.0;
  for (const double sum : sums) all += sum;
  return all;
}

}  // namespace equipatch
