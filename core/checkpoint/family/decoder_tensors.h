// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/checkpoint/spec.h"

namespace equipatch {

/// A weight matrix and its bias.
struct LinearTensor {
  std::string where;   ///< "" or, inside a MoE block, "experts.5." or "shared."
  std::string what;    ///< "gate" binds W_gate and b_gate
  std::string stored;  ///< without the suffixes below
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;
  bool bias = false;
  TensorPart part = {};
  const char* weightSuffix = ".weight";
  const char* biasSuffix = ".bias";
  const char* scalesSuffix = nullptr;  ///< of a matrix in MXFP4
};

/// Collects the bindings of a model layer by layer and completes their canonical and
/// stored names.
class TensorList {
 public:
  /// @param spec outlives this
  /// @param layerPrefix prefix of a layer's stored names: "layers."
  TensorList(const ModelSpec& spec, std::string layerPrefix);

  /// Tensors added from now on belong to this layer, until `leaveLayers`.
  void enterLayer(std::int64_t layer);
  void leaveLayers();

  /// @param stored complete name: no ".weight" is appended
  void add(const std::string& name, const std::string& stored,
           std::vector<std::int64_t> shape);
  void linear(const LinearTensor& tensor);
  /// Adds a norm's scale and, if the model's norms have one, its bias.
  /// @param stored name without ".weight"
  void norm(const std::string& name, const std::string& stored,
            const std::vector<std::int64_t>& shape);
  /// Adds the head unless it is tied, and the head's bias if there is one.
  void head(const std::string& stored);

  std::vector<TensorBinding> take() { return std::move(m_tensors); }

 private:
  void bind(TensorBinding binding);

  const ModelSpec& m_spec;
  std::string m_layerPrefix;
  std::int64_t m_layer = -1;  ///< negative: none
  std::vector<TensorBinding> m_tensors;
};

/// How the experts' matrices are stored.
enum class ExpertLayout {
  Single,  ///< one tensor per expert: "mlp.experts.5.gate_proj.weight"
  Pairs,   ///< one for all experts, [experts, inputs, outputs], gate and up alternating
  Halves,  ///< one for all experts, [experts, outputs, inputs], gate before up
  PackedPairs,  ///< one for all experts, [experts, outputs, inputs], in MXFP4, gate and
                ///< up alternating
};

/// Stored names of a MoE block within a layer.
struct MoeNames {
  ExpertLayout layout = ExpertLayout::Single;
  std::string router = "mlp.gate";
  std::string experts = "mlp.experts.";
  /// Used by ExpertLayout::Single and by shared experts; the other layouts hold both
  /// matrices in "gate_up_proj".
  std::string gate = "gate_proj", up = "up_proj";
  std::string down = "down_proj";
  std::string shared = "mlp.shared_expert.";
  std::string sharedRouter = "mlp.shared_expert_gate";
  // Used only where a dense MLP runs beside the experts (MoeSpec::besideDense).
  std::string expertsNorm, densePostNorm, expertsPostNorm;
  std::string routerScale, expertScale;  ///< complete: no ".weight" is appended
};

/// Stored names of a layer's tensors and of the final norm, without ".weight". Each is
/// used only if the model has that part. The defaults are Llama's.
struct DecoderNames {
  std::string attentionNorm = "input_layernorm";
  std::string attentionPostNorm;
  std::string mlpNorm = "post_attention_layernorm";
  std::string mlpPostNorm;
  /// A name that ends in a period stands for one tensor per head, without biases.
  std::string queryNorm = "self_attn.q_norm";
  std::string keyNorm = "self_attn.k_norm";
  std::string queryKeyValue;  ///< one tensor of queries, keys, values; empty: three
  std::string attentionOut = "self_attn.o_proj";
  std::string in;      ///< of an MLP without a gate
  std::string gateUp;  ///< one tensor of gate and up; empty: two
  std::string down = "mlp.down_proj";
  MoeNames moe;
  std::string finalNorm = "norm";
};

/// Every tensor that the spec needs, under the names of Llama and its descendants
/// ("layers.3.self_attn.q_proj.weight"), the embedding first.
/// @param spec without learned positions, with a final norm
std::vector<TensorBinding> decoderTensors(const ModelSpec& spec,
                                          const DecoderNames& names);

/// Suffixes of stored tensors that are not read: buffers, a tied head.
std::vector<std::string> decoderIgnoredSuffixes(const ModelSpec& spec);

/// Two schemes: names with the prefix "model.", and names without it, as transformers
/// saves a model without a head.
std::vector<NameScheme> decoderSchemes();

}  // namespace equipatch
