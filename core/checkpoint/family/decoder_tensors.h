#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/checkpoint/spec.h"

namespace equipatch {

/// A matrix and its bias, as a family's file binds them.
struct LinearTensor {
  std::string where;   ///< "" or, inside a MoE block, "experts.5." or "shared."
  std::string what;    ///< "gate" binds W_gate and b_gate
  std::string stored;  ///< without ".weight"
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;
  bool bias = false;
  TensorPart part = {};
};

/// Collects the bindings of a model layer by layer and completes both names of each.
class TensorList {
 public:
  /// @param layerPrefix of a layer's stored names: "layers.".
  TensorList(const ModelSpec& spec, std::string layerPrefix);

  /// What is added from now on belongs to this layer, until `leaveLayers`.
  void enterLayer(std::int64_t layer);
  void leaveLayers();

  /// @param stored with ".weight".
  void add(const std::string& name, const std::string& stored,
           std::vector<std::int64_t> shape);
  void linear(const LinearTensor& tensor);
  /// A scale and, where the model's norms have one, a bias.
  /// @param stored without ".weight".
  void norm(const std::string& name, const std::string& stored,
            const std::vector<std::int64_t>& shape);
  /// The head where it is not tied, and its bias where there is one.
  void head(const std::string& stored);

  std::vector<TensorBinding> take() { return std::move(m_tensors); }

 private:
  void bind(TensorBinding binding);

  const ModelSpec& m_spec;
  std::string m_layerPrefix;
  std::int64_t m_layer = -1;  ///< negative: none
  std::vector<TensorBinding> m_tensors;
};

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
