// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/safetensors_writer.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <span>
#include <sstream>
#include <stdexcept>

#include "core/checkpoint/safetensors.h"

namespace equipatch::test {
namespace {

// Independent of the program's conversions, whose results tests compare with these.

std::uint16_t bfloat16Bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return 0x7FC0U;
  return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}

/// From the definition: value = ±n · 2^q with n < 2^11, rounded to even.
std::uint16_t float16Bits(float value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000U : 0U;
  const double magnitude = std::fabs(static_cast<double>(value));
  if (std::isnan(value)) return 0x7E00U;
  if (magnitude >= 65520.0) return sign | 0x7C00U;
  int exponent = magnitude > 0.0 ? std::ilogb(magnitude) : -15;
  if (exponent < -14) exponent = -14;  // subnormal: the spacing stays that of 2^-14
  const auto units =
      static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // A carry into the next power of two increments the exponent field.
  return static_cast<std::uint16_t>(sign + (static_cast<unsigned>(exponent + 14) << 10U) +
                                    units);
}

float fromFloat16Bits(std::uint16_t bits) {
  const int field = (bits >> 10U) & 0x1F;
  const int fraction = bits & 0x3FF;
  const double sign = (bits & 0x8000U) ? -1.0 : 1.0;
  if (field == 31) return static_cast<float>(fraction ? NAN : sign * INFINITY);
  return static_cast<float>(sign * (field ? std::ldexp(1024 + fraction, field - 25)
                                          : std::ldexp(fraction, -24)));
}

template <typename Number>
void put(std::vector<std::byte>& bytes, Number number) {
  const auto raw = std::as_bytes(std::span<const Number, 1>(&number, 1));
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

}  // namespace

void misalign(const std::filesystem::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  std::string bytes = content.str();
  std::uint64_t header = 0;
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes.insert(sizeof header + header, " ");
  ++header;
  std::memcpy(bytes.data(), &header, sizeof header);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::vector<std::byte> toBytes(const std::vector<float>& values, DType dtype) {
  std::vector<std::byte> bytes;
  bytes.reserve(values.size() * byteSize(dtype));
  for (const float value : values) {
    switch (dtype) {
      case DType::F64:
        put(bytes, static_cast<double>(value));
        break;
      case DType::F32:
        put(bytes, value);
        break;
      case DType::BF16:
        put(bytes, bfloat16Bits(value));
        break;
      case DType::F16:
        put(bytes, float16Bits(value));
        break;
      default:
        throw std::logic_error("not a floating dtype");
    }
  }
  return bytes;
}

float roundedTo(float value, DType dtype) {
  if (dtype == DType::BF16)
    return std::bit_cast<float>(static_cast<std::uint32_t>(bfloat16Bits(value)) << 16U);
  if (dtype == DType::F16) return fromFloat16Bits(float16Bits(value));
  return value;
}

void writeSafetensors(const std::filesystem::path& path,
                      const std::vector<FloatTensor>& tensors, DType dtype) {
  std::vector<TensorPlan> plan;
  for (const FloatTensor& tensor : tensors)
    plan.push_back({tensor.name, dtype, tensor.shape});
  SafetensorsWriter writer(path, plan, {{"format", "pt"}});
  for (const FloatTensor& tensor : tensors) {
    const std::vector<std::byte> bytes = toBytes(tensor.values, dtype);
    writer.append(tensor.name, bytes);
  }
  writer.finish();
}

}  // namespace equipatch::test
