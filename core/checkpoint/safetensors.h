// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/partial_file.h"

namespace equipatch {

class FileMap;

/// A row-major, little-endian, read-only tensor in a mapped file or in anonymous memory.
/// `owner` keeps the bytes alive, so the view may outlive the SafetensorsFile.
///
/// Files need not align tensors: read the bytes in place only when `aligned()`, otherwise
/// copy them first.
struct TensorView {
  DType dtype = DType::F32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;  ///< product of `shape` × byteSize(dtype)
  std::shared_ptr<const FileMap> owner;

  std::int64_t elements() const;
  bool aligned() const;  ///< the bytes start at a multiple of byteSize(dtype)
};

/// "[2048, 1152]", for messages.
std::string shapeText(std::span<const std::int64_t> shape);

/// True for the name of a .safetensors file without a folder. Check untrusted names, so
/// that they cannot lead to files outside the model's folder.
bool isShardName(std::string_view name);

/// A mapped .safetensors file whose header has been checked: every view is inside the
/// file and has as many bytes as its shape needs.
///
/// Format: 8 bytes little-endian length N, N bytes of JSON {"name": {"dtype", "shape",
/// "data_offsets": [begin, end)}}, then the data, which the tensors tile without hole or
/// overlap. Offsets count from the end of the header.
class SafetensorsFile {
 public:
  /// Reads and checks the header only.
  /// @throws Error{BadInput} when the file cannot be read or is not valid;
  ///         Error{Unsupported} for a dtype that is not read (float8).
  static SafetensorsFile open(const std::filesystem::path& path);

  const std::map<std::string, TensorView>& tensors() const { return m_tensors; }
  /// "__metadata__"; empty when absent.
  const std::map<std::string, std::string>& metadata() const { return m_metadata; }
  /// The JSON header without the length before it, as a view into the mapping.
  std::string_view header() const { return m_header; }
  const std::filesystem::path& path() const { return m_path; }

  /// SHA-256 of a sample of the n bytes of data. If n ≤ 2²⁴, the sample is all the data.
  /// Otherwise the sample is 256 pieces of 2¹⁶ bytes; piece i begins at byte
  /// ⌊i (n − 2¹⁶) / 255⌋ of the data.
  /// @throws Error{BadInput} when the file cannot be read or has become shorter
  std::string dataSampleSha256() const;

 private:
  SafetensorsFile() = default;
  std::span<const std::byte> data() const;

  std::filesystem::path m_path;
  std::string_view m_header;  ///< into the mapping m_file
  std::shared_ptr<const FileMap> m_file;
  std::map<std::string, TensorView> m_tensors;
  std::map<std::string, std::string> m_metadata;
};

struct TensorPlan {
  std::string name;
  DType dtype = DType::F32;
  std::vector<std::int64_t> shape;
};

/// Writes a .safetensors file: the constructor declares the tensors, `append` fills them
/// piece by piece. The file appears under `path` only when `finish` has completed it.
class SafetensorsWriter {
 public:
  using Metadata = std::map<std::string, std::string>;

  /// @throws Error{Resource} naming a path that cannot be written; Error{BadInput} for
  ///         repeated or invalid names, negative or too large dimensions, and a path that
  ///         is empty, a pipe or a device.
  SafetensorsWriter(const std::filesystem::path& path,
                    const std::vector<TensorPlan>& plan, const Metadata& metadata = {});

  /// Appends the next bytes of a tensor, row-major and little-endian. Calls for different
  /// tensors may alternate.
  /// @throws std::logic_error for an undeclared tensor or more bytes than declared;
  ///         Error{Resource} when writing fails.
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

  PartialFile m_file;
  std::ofstream m_stream;
  std::map<std::string, Region> m_regions;
};

}  // namespace equipatch
