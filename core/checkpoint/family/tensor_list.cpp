#include "core/checkpoint/family/tensor_list.h"

#include <utility>

namespace equipatch {

TensorList::TensorList(const ModelSpec& spec, std::string layerPrefix)
    : m_spec(spec), m_layerPrefix(std::move(layerPrefix)) {}

void TensorList::enterLayer(std::int64_t layer) {
  m_layer = layer;
}

void TensorList::leaveLayers() {
  m_layer = -1;
}

void TensorList::bind(TensorBinding binding) {
  if (m_layer >= 0) {
    binding.name = layerWeight(m_layer, binding.name);
    binding.checkpointName =
        m_layerPrefix + std::to_string(m_layer) + "." + binding.checkpointName;
  }
  m_tensors.push_back(std::move(binding));
}

void TensorList::add(const std::string& name, const std::string& stored,
                     std::vector<std::int64_t> shape) {
  bind({.name = name, .checkpointName = stored, .shape = std::move(shape)});
}

void TensorList::linear(const LinearTensor& tensor) {
  bind({.name = tensor.where + "W_" + tensor.what,
        .checkpointName = tensor.stored + ".weight",
        .shape = {tensor.outputs, tensor.inputs},
        .part = tensor.part});
  if (!tensor.bias) return;
  TensorPart part = tensor.part;
  part.transposed = false;  // a vector has no other order
  bind({.name = tensor.where + "b_" + tensor.what,
        .checkpointName = tensor.stored + ".bias",
        .shape = {tensor.outputs},
        .part = part});
}

void TensorList::norm(const std::string& name, const std::string& stored,
                      const std::vector<std::int64_t>& shape) {
  add(name, stored + ".weight", shape);
  if (m_spec.norm.bias) add(name + ".bias", stored + ".bias", shape);
}

void TensorList::head(const std::string& stored) {
  if (!m_spec.tiedHead)
    bind({.name = "head",
          .checkpointName = stored + ".weight",
          .shape = {m_spec.vocabulary, m_spec.width},
          .scope = TensorScope::Head});
  if (m_spec.headBias)
    bind({.name = "b_head",
          .checkpointName = stored + ".bias",
          .shape = {m_spec.vocabulary},
          .scope = TensorScope::Head});
}

}  // namespace equipatch
