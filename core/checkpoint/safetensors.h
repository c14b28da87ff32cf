// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"

namespace equipatch {

class FileMap;

/// A tensor in a mapped file: row-major, little-endian, read-only. The view keeps the
/// mapping alive and may outlive the checkpoint.
///
/// The format does not align tensors: read the bytes in place only when `aligned()`,
/// otherwise copy them first.
struct TensorView {
  DType dtype = DType::F32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;  ///< exactly elements × byteSize(dtype)
  std::shared_ptr<const FileMap> owner;

  std::int64_t elements() const;
  bool aligned() const;  ///< the bytes start at a multiple of byteSize(dtype)
};

/// "[2048, 1152]", for messages.
std::string shapeText(std::span<const std::int64_t> shape);

/// A mapped .safetensors file whose header has been checked: every view lies inside the
/// file and has as many bytes as its shape needs.
///
/// Format: 8 bytes little-endian length N, N bytes of JSON {"name": {"dtype", "shape",
/// "data_offsets": [begin, end)}}, then the data, which the tensors tile without hole or
/// overlap. Offsets count from the end of the header.
class SafetensorsFile {
 public:
  /// Reads the header only.
  /// @throws Error{BadInput} naming the file, the tensor and the values that disagree;
  ///         Error{Unsupported} for a dtype that is not read (float8).
  static SafetensorsFile open(const std::filesystem::path& path);

  const std::map<std::string, TensorView>& tensors() const { return m_tensors; }
  /// "__metadata__"; empty when absent.
  const std::map<std::string, std::string>& metadata() const { return m_metadata; }
  /// The header without its length, which identifies the file's layout.
  std::string_view header() const { return m_header; }
  const std::filesystem::path& path() const { return m_path; }

 private:
  SafetensorsFile() = default;

  std::filesystem::path m_path;
  std::string_view m_header;  ///< into the mapping m_file
  std::shared_ptr<const FileMap> m_file;
  std::map<std::string, TensorView> m_tensors;
  std::map<std::string, std::string> m_metadata;
};

}  // namespace equipatch
