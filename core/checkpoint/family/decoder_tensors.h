#pragma once

#include <string>
#include <vector>

#include "core/checkpoint/spec.h"

namespace equipatch {

/// What the parts of a MoE block are called within a layer.
struct MoeNames {
  std::string router = "mlp.gate";
  std::string experts = "mlp.experts.";
  std::string gate = "gate_proj";
  std::string up = "up_proj";
  std::string down = "down_proj";
  std::string shared = "mlp.shared_expert.";
  std::string sharedRouter = "mlp.shared_expert_gate";
};

/// What a family calls its tensors, without the ".weight"; each is used where the spec
/// has such a part. The defaults are Llama's.
struct DecoderNames {
  std::string attentionNorm = "input_layernorm";
  std::string attentionPostNorm;
  std::string mlpNorm = "post_attention_layernorm";
  std::string mlpPostNorm;
  std::string queryNorm = "self_attn.q_norm";
  std::string keyNorm = "self_attn.k_norm";
  std::string attentionOut = "self_attn.o_proj";
  std::string in;  ///< of a plain feed-forward
  std::string down = "mlp.down_proj";
  MoeNames moe;
  std::string finalNorm = "norm";
};

/// Every tensor the spec needs, by the names that the decoders descending from Llama
/// share ("layers.3.self_attn.q_proj.weight"), with the shapes that follow from the spec.
std::vector<TensorBinding> decoderTensors(const ModelSpec& spec,
                                          const DecoderNames& names);

/// Tensors such a file may hold beside them: buffers, and a head that is tied.
std::vector<std::string> decoderIgnoredSuffixes(const ModelSpec& spec);

/// With the prefix "model." and, as the body alone is saved, without.
std::vector<NameScheme> decoderSchemes();

}  // namespace equipatch
