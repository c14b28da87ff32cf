// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace equipatch {

/// Element types of tensors on disk (the safetensors names) and of computation.
enum class DType { F64, F32, F16, BF16, I64, I32, I16, I8, U8, Bool };

std::size_t byteSize(DType dtype);

/// Name as safetensors headers spell it: "F64", "BF16", "BOOL".
std::string_view safetensorsName(DType dtype);
std::optional<DType> dtypeFromSafetensorsName(std::string_view name);

/// Name as PyTorch and the command line spell it: "float64", "bfloat16", "bool".
std::string_view torchName(DType dtype);
/// Accepts "float32", "torch.float32" and aliases of the floating types, such as "f32",
/// "fp32", "float", "bf16" and "half".
std::optional<DType> dtypeFromTorchName(std::string_view name);

/// True for the four types that a model can compute in.
bool isFloating(DType dtype);

/// Spacing of numbers just above 1: 2^-52, 2^-23, 2^-10, 2^-7. Only for floating types.
double machineEpsilon(DType dtype);
/// Only for floating types.
double largestFinite(DType dtype);

/// MXFP4 (OCP Microscaling Formats 1.0; files store it as U8) divides a row into blocks
/// of 32 values in 16 bytes. Each block has a scale of one byte.
inline constexpr std::int64_t kMxfp4BlockValues = 32, kMxfp4BlockBytes = 16;

/// Bytes of `values` values, including the scales.
/// @param values a multiple of kMxfp4BlockValues
constexpr std::int64_t mxfp4Bytes(std::int64_t values) {
  return values / kMxfp4BlockValues * (kMxfp4BlockBytes + 1);
}

}  // namespace equipatch
