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

/// A tensor as it lies in a mapped file: row-major, little-endian, read-only. The view
/// keeps the mapping alive, so it may outlive the checkpoint it came from.
///
/// The bytes may start anywhere: the format does not align tensors. Read them in place
/// only when `aligned()`, otherwise copy them first.
struct TensorView {
  DType dtype = DType::F32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;  ///< exactly elements × byteSize(dtype)
  std::shared_ptr<const FileMap> owner;

  std::int64_t elements() const;
  bool aligned() const;  ///< the bytes start at a multiple of the element's size
};

/// "[2048, 1152]", for messages.
std::string shapeText(std::span<const std::int64_t> shape);

/// One .safetensors file, mapped, with a header that has been checked from end to end:
/// every view it hands out lies inside the file and has as many bytes as its shape needs.
///
/// The format: 8 bytes little-endian length N, N bytes JSON {"name": {"dtype", "shape",
/// "data_offsets": [begin, end)}}, then the data, which the tensors tile without hole or
/// overlap. Offsets count from the end of the header.
class SafetensorsFile {
 public:
  /// Reads the header and no tensor.
  /// @throws Error{BadInput} naming the file, the tensor and the numbers that disagree;
  ///         Error{Unsupported} for a dtype that exists but is not read (float8).
  static SafetensorsFile open(const std::filesystem::path& path);

  const std::map<std::string, TensorView>& tensors() const { return m_tensors; }
  /// What "__metadata__" holds; empty when absent.
  const std::map<std::string, std::string>& metadata() const { return m_metadata; }
  /// The header's bytes without the length: enough to recognise the file by.
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
