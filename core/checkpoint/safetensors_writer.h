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

/// A tensor that will be written.
struct TensorPlan {
  std::string name;
  DType dtype = DType::F32;
  std::vector<std::int64_t> shape;
};

/// Writes a .safetensors file whose tensors are known beforehand and whose numbers come
/// piece by piece, so that none need be held in memory. The file takes its name only in
/// `finish`: until then, and when that never comes, nothing is seen under `path`.
class SafetensorsWriter {
 public:
  using Metadata = std::map<std::string, std::string>;

  /// @throws Error{Resource} naming the path when it cannot be written;
  ///         Error{BadInput} for repeated or ill-formed names and negative extents.
  SafetensorsWriter(const std::filesystem::path& path,
                    const std::vector<TensorPlan>& plan, const Metadata& metadata = {});
  ~SafetensorsWriter();
  SafetensorsWriter(const SafetensorsWriter&) = delete;
  SafetensorsWriter& operator=(const SafetensorsWriter&) = delete;

  /// The next bytes of a tensor, row-major and little-endian; tensors may be filled in
  /// any order. More bytes than planned are a programmer's error: std::logic_error.
  void append(const std::string& name, std::span<const std::byte> bytes);
  template <typename Number>
  void append(const std::string& name, std::span<const Number> numbers) {
    append(name, std::as_bytes(numbers));
  }

  /// Completes the file and puts it in its place. Every tensor must be full by then:
  /// std::logic_error otherwise. @throws Error{Resource} when the disk refuses.
  void finish();

 private:
  struct Region {
    std::uint64_t next = 0;  ///< of the file
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
