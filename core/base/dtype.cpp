// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/dtype.h"

#include <array>
#include <limits>

namespace equipatch {
namespace {

struct Row {
  DType dtype;
  std::size_t bytes;
  std::string_view safetensors;
  std::string_view torch;
};

constexpr std::array<Row, 10> kRows{{
    {DType::F64, 8, "F64", "float64"},
    {DType::F32, 4, "F32", "float32"},
    {DType::F16, 2, "F16", "float16"},
    {DType::BF16, 2, "BF16", "bfloat16"},
    {DType::I64, 8, "I64", "int64"},
    {DType::I32, 4, "I32", "int32"},
    {DType::I16, 2, "I16", "int16"},
    {DType::I8, 1, "I8", "int8"},
    {DType::U8, 1, "U8", "uint8"},
    {DType::Bool, 1, "BOOL", "bool"},
}};

const Row& row(DType dtype) {
  return kRows[static_cast<std::size_t>(dtype)];
}

struct Alias {
  std::string_view name;
  DType dtype;
};

constexpr std::array<Alias, 10> kAliases{{
    {"f64", DType::F64},
    {"fp64", DType::F64},
    {"double", DType::F64},
    {"f32", DType::F32},
    {"fp32", DType::F32},
    {"float", DType::F32},
    {"f16", DType::F16},
    {"fp16", DType::F16},
    {"half", DType::F16},
    {"bf16", DType::BF16},
}};

}  // namespace

std::size_t byteSize(DType dtype) {
  return row(dtype).bytes;
}

std::string_view safetensorsName(DType dtype) {
  return row(dtype).safetensors;
}

std::string_view torchName(DType dtype) {
  return row(dtype).torch;
}

std::optional<DType> dtypeFromSafetensorsName(std::string_view name) {
  for (const Row& candidate : kRows)
    if (candidate.safetensors == name) return candidate.dtype;
  return std::nullopt;
}

std::optional<DType> dtypeFromTorchName(std::string_view name) {
  constexpr std::string_view kPrefix = "torch.";
  if (name.substr(0, kPrefix.size()) == kPrefix) name.remove_prefix(kPrefix.size());
  for (const Row& candidate : kRows)
    if (candidate.torch == name) return candidate.dtype;
  for (const Alias& alias : kAliases)
    if (alias.name == name) return alias.dtype;
  return std::nullopt;
}

bool isFloating(DType dtype) {
  return dtype == DType::F64 || dtype == DType::F32 || dtype == DType::F16 ||
         dtype == DType::BF16;
}

double machineEpsilon(DType dtype) {
  switch (dtype) {
    case DType::F64:
      return std::numeric_limits<double>::epsilon();
    case DType::F16:
      return 0x1p-10;
    case DType::BF16:
      return 0x1p-7;
    default:
      return std::numeric_limits<float>::epsilon();
  }
}

double largestFinite(DType dtype) {
  switch (dtype) {
    case DType::F64:
      return std::numeric_limits<double>::max();
    case DType::F16:
      return 65504.0;
    case DType::BF16:
      return 0x1.FEp127;
    default:
      return std::numeric_limits<float>::max();
  }
}

}  // namespace equipatch
