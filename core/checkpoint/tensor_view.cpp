#include "core/checkpoint/tensor_view.h"

namespace equipatch {

std::int64_t TensorView::elements() const {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  return count;
}

bool TensorView::aligned() const {
  return reinterpret_cast<std::uintptr_t>(bytes.data()) % byteSize(dtype) == 0;
}

std::string shapeText(std::span<const std::int64_t> shape) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    text += (axis ? ", " : "") + std::to_string(shape[axis]);
  return text + "]";
}

}  // namespace equipatch
