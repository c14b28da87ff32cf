#include "core/model/stored_tensor.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/base/file_map.h"
#include "core/base/machine.h"

namespace equipatch {
namespace {

static_assert(std::endian::native == std::endian::little,
              "safetensors are little-endian and used in place");

/// Elements converted between two releases of the file's pages.
constexpr std::int64_t kCopyTileElements = 1 << 22;

/// Copies group by group and tile by tile.
Tensor converted(const Tensor& part, const StoredWeight& weight,
                 const Arithmetic& arithmetic) {
  Tensor result = at::empty(
      weight.shape, at::TensorOptions(arithmetic.storage()).device(arithmetic.device()));
  if (result.is_cpu())
    preferLargePages({static_cast<const std::byte*>(result.data_ptr()), result.nbytes()});
  const Tensor target = result.view(part.sizes());
  const std::int64_t rows = part.size(1);
  const std::int64_t rowSize = std::max<std::int64_t>(
      1, part.numel() / std::max<std::int64_t>(1, part.size(0) * rows));
  const std::int64_t step = std::max<std::int64_t>(1, kCopyTileElements / rowSize);
  for (std::int64_t group = 0; group < part.size(0); ++group)
    for (std::int64_t first = 0; first < rows; first += step) {
      const std::int64_t count = std::min(step, rows - first);
      target.select(0, group)
          .narrow(0, first, count)
          .copy_(part.select(0, group).narrow(0, first, count));
      // A transposed part is strewn over the whole tensor.
      if (rows > step) weight.stored.owner->release(weight.stored.bytes);
    }
  weight.stored.owner->release(weight.stored.bytes);
  return result;
}

}  // namespace

Tensor storedTensor(const TensorView& view) {
  const auto options = at::TensorOptions(toTorch(view.dtype));
  auto* data = const_cast<std::byte*>(view.bytes.data());
  if (view.bytes.empty()) return at::empty(view.shape, options);
  if (!view.aligned()) {
    Tensor copy = at::empty(view.shape, options);
    std::copy(view.bytes.begin(), view.bytes.end(),
              static_cast<std::byte*>(copy.data_ptr()));
    return copy;
  }
  return at::from_blob(
      data, view.shape, [owner = view.owner](void*) {}, options);
}

Tensor partOf(const Tensor& stored, const TensorPart& part) {
  const Tensor outputsFirst = part.transposed ? stored.t() : stored;
  const std::int64_t rows = outputsFirst.size(0) / (part.groups * part.parts);
  std::vector<std::int64_t> sizes{part.groups, part.parts, rows};
  std::vector<std::int64_t> strides{outputsFirst.stride(0) * rows * part.parts,
                                    outputsFirst.stride(0) * rows,
                                    outputsFirst.stride(0)};
  for (std::int64_t axis = 1; axis < outputsFirst.dim(); ++axis) {
    sizes.push_back(outputsFirst.size(axis));
    strides.push_back(outputsFirst.stride(axis));
  }
  return outputsFirst.as_strided(sizes, strides).select(1, part.index);
}

bool isUsedInPlace(const StoredWeight& weight, const Arithmetic& arithmetic) {
  return weight.stored.aligned() &&
         toTorch(weight.stored.dtype) == arithmetic.storage() &&
         arithmetic.device().is_cpu() &&
         partOf(storedTensor(weight.stored), weight.part).is_contiguous();
}

Tensor loadTensor(const StoredWeight& weight, const Arithmetic& arithmetic) {
  const Tensor part = partOf(storedTensor(weight.stored), weight.part);
  if (isUsedInPlace(weight, arithmetic)) return part.view(weight.shape);
  return converted(part, weight, arithmetic);
}

}  // namespace equipatch
