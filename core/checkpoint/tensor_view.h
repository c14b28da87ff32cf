#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
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

}  // namespace equipatch
