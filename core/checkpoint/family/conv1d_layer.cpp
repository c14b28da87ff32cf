#include "core/checkpoint/family/conv1d_layer.h"

namespace equipatch {

void addConv1dLayer(const ModelSpec& spec, const Conv1dNorms& norms,
                    TensorList& tensors) {
  tensors.norm(norms.first, "ln_1", {spec.width});
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
  tensors.norm(norms.second, "ln_2", {spec.width});
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

}  // namespace equipatch
