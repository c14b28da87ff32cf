// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/dtype.h"

namespace equipatch::test {

struct FloatTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> values;  ///< row-major
};

/// Writes the tensors as F64, F32, BF16 or F16, rounded to nearest even.
void writeSafetensors(const std::filesystem::path& path,
                      const std::vector<FloatTensor>& tensors, DType dtype = DType::F32);

/// Shifts all tensors of a file by one byte, with a space at the end of the header.
void misalign(const std::filesystem::path& path);

/// `values` as a safetensors file stores them.
std::vector<std::byte> toBytes(const std::vector<float>& values, DType dtype);

/// The nearest value that the dtype represents, ties to even.
float roundedTo(float value, DType dtype);

}  // namespace equipatch::test
