#include "core/checkpoint/family/conv1d_tensors.h"

#include "core/checkpoint/family/tensor_list.h"

namespace equipatch {
namespace {

void addLayer(const ModelSpec& spec, const Conv1dNames& names, TensorList& tensors) {
  tensors.norm(names.firstNorm, "ln_1", {spec.width});
  for (std::int64_t part = 0; part < 3; ++part)
    tensors.linear(
        {.what = std::string(1, "qkv"[part]),
         .stored = "attn.c_attn",
         .outputs = spec.width,
         .inputs = spec.width,
         .bias = true,
         .part = {.transposed = true, .groups = 1, .parts = 3, .index = part}});
  tensors.linear({.what = "o",
                  .stored = "attn.c_proj",
                  .outputs = spec.width,
                  .inputs = spec.width,
                  .bias = true,
                  .part = {.transposed = true}});
  tensors.norm(names.secondNorm, "ln_2", {spec.width});
  tensors.linear({.what = "in",
                  .stored = "mlp.c_fc",
                  .outputs = spec.mlpWidth,
                  .inputs = spec.width,
                  .bias = true,
                  .part = {.transposed = true}});
  tensors.linear({.what = "down",
                  .stored = "mlp.c_proj",
                  .outputs = spec.width,
                  .inputs = spec.mlpWidth,
                  .bias = true,
                  .part = {.transposed = true}});
}

}  // namespace

std::vector<TensorBinding> conv1dTensors(const ModelSpec& spec,
                                         const Conv1dNames& names) {
  TensorList tensors(spec, "h.");
  tensors.add("embed", names.embed + ".weight", {spec.vocabulary, spec.width});
  tensors.add("positions", names.positions + ".weight", {spec.maxPositions, spec.width});
  for (std::int64_t layer = 0; layer < spec.layerCount(); ++layer) {
    tensors.enterLayer(layer);
    addLayer(spec, names, tensors);
  }
  tensors.leaveLayers();
  if (spec.finalNorm) tensors.norm("final_norm", names.finalNorm, {spec.width});
  tensors.head("lm_head");
  return tensors.take();
}

}  // namespace equipatch
