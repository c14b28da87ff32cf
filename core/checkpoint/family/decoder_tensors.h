#pragma once

#include <vector>

#include "core/checkpoint/spec.h"

namespace equipatch {

/// What a family calls the norms of a layer, without the ".weight".
struct LayerNormNames {
  const char* attentionNorm = "input_layernorm";
  const char* attentionPostNorm = "";  ///< used where the spec has one
  const char* mlpNorm = "";
  const char* mlpPostNorm = "";  ///< used where the spec has one
};

/// Every tensor the spec needs, by the names that the decoders descending from Llama
/// share
/// ("model.layers.3.self_attn.q_proj.weight"), with the shapes that follow from the spec.
std::vector<TensorBinding> decoderTensors(const ModelSpec& spec,
                                          const LayerNormNames& norms);

/// Tensors such a file may hold beside them: buffers, and a head that is tied.
std::vector<std::string> decoderIgnoredSuffixes(const ModelSpec& spec);

}  // namespace equipatch
