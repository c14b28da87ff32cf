// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/dtype.h"

namespace equipatch {

/// A tensor to write.
struct TensorPlan {
  std::string name;
  DType dtype = DType::F32;
  std::vector<std::int64_t> shape;
};

/// Writes a .safetensors file of tensors that are declared first and filled piece by
/// piece, so that none is held in memory. The file appears under `path` only in `finish`,
/// complete.
class SafetensorsWriter {
 public:
  using Metadata = std::map<std::string, std::string>;

  /// @throws Error{Resource} naming a path that cannot be written; Error{BadInput} for
  ///         repeated or invalid names and negative extents.
  SafetensorsWriter(const std::filesystem::path& path,
                    const std::vector<TensorPlan>& plan, const Metadata& metadata = {});
  ~SafetensorsWriter();
  SafetensorsWriter(const SafetensorsWriter&) = delete;
  SafetensorsWriter& operator=(const SafetensorsWriter&) = delete;

  /// Appends bytes of a tensor, row-major and little-endian; tensors may be filled in any
  /// order.
  /// @throws std::logic_error for more bytes than declared.
  void append(const std::string& name, std::span<const std::byte> bytes);
  template <typename Number>
  void append(const std::string& name, std::span<const Number> numbers) {
    append(name, std::as_bytes(numbers));
  }

  /// Completes the file and moves it into place.
  /// @throws std::logic_error when a tensor is not full; Error{Resource} when writing
  ///         fails.
  void finish();

 private:
  struct Region {
    std::uint64_t next = 0;  ///< offset in the file
    std::uint64_t end = 0;
  };

  void writeHeader(const std::vector<TensorPlan>& plan, const Metadata& metadata);
  void checkStream();

  std::filesystem::path m_path;
  std::filesystem::path m_partial;
  std::ofstream m_stream;
  std::map<std::string, Region> m_regions;
  bool m_finished = false;
};

}  // namespace equipatch
