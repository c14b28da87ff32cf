// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/checkpoint/spec.h"

namespace equipatch {

/// A weight matrix and, if `bias` is true, its bias.
struct LinearTensor {
  std::string where;   ///< canonical prefix: "" or, in MoE, "experts.5." or "shared."
  std::string what;    ///< "gate" binds W_gate and b_gate
  std::string stored;  ///< stored name without the suffixes below
  std::int64_t outputs = 0;
  std::int64_t inputs = 0;
  bool bias = false;
  TensorPart part = {};
  const char* weightSuffix = ".weight";
  const char* biasSuffix = ".bias";
  const char* scalesSuffix = nullptr;  ///< only for a matrix in MXFP4
};

/// Collects the bindings of a model's tensors. From `enterLayer` to `leaveLayers`, names
/// are relative to the layer, without its prefix.
class TensorList {
 public:
  /// @param spec must outlive this list
  /// @param layerPrefix stored prefix before the layer's number: "layers."
  TensorList(const ModelSpec& spec, std::string layerPrefix);

  void enterLayer(std::int64_t layer);
  void leaveLayers();

  /// @param stored no ".weight" is appended
  void add(const std::string& name, const std::string& stored,
           std::vector<std::int64_t> shape);
  void linear(const LinearTensor& tensor);
  /// Adds a norm's scale and, if the model's norms have one, its bias.
  /// @param stored name without ".weight"
  void norm(const std::string& name, const std::string& stored,
            const std::vector<std::int64_t>& shape);
  /// Adds the head's matrix unless it is tied, and the head's bias if it has one.
  /// @param stored name without ".weight"
  void head(const std::string& stored);

  std::vector<TensorBinding> take() { return std::move(m_tensors); }

 private:
  void bind(TensorBinding binding);

  const ModelSpec& m_spec;
  std::string m_layerPrefix;
  std::int64_t m_layer = -1;  ///< negative: outside the layers
  std::vector<TensorBinding> m_tensors;
};

/// How the experts' matrices are stored. Except in `Single`, each tensor holds all
/// experts, and "gate_up_proj" holds both gate and up.
enum class ExpertLayout {
  Single,       ///< one tensor per expert: "mlp.experts.5.gate_proj.weight"
  Pairs,        ///< [experts, inputs, outputs]; outputs of gate and up alternate
  Halves,       ///< [experts, outputs, inputs]; the outputs of gate, then those of up
  PackedPairs,  ///< [experts, outputs, inputs] in MXFP4; gate and up alternate
};

/// Stored names of a MoE block within a layer.
struct MoeNames {
  ExpertLayout layout = ExpertLayout::Single;
  std::string router = "mlp.gate";
  std::string experts = "mlp.experts.";
  /// Only for ExpertLayout::Single and shared experts.
  std::string gate = "gate_proj", up = "up_proj";
  std::string down = "down_proj";
  std::string shared = "mlp.shared_expert.";
  std::string sharedRouter = "mlp.shared_expert_gate";
  // Only with MoeSpec::besideDense.
  std::string expertsNorm, densePostNorm, expertsPostNorm;
  std::string routerScale, expertScale;  ///< no ".weight" is appended
};

/// Stored names, without ".weight", of a layer's tensors and of the final norm. The
/// defaults are those of Llama and Qwen.
struct DecoderNames {
  std::string attentionNorm = "input_layernorm";
  std::string attentionPostNorm;
  std::string mlpNorm = "post_attention_layernorm";
  std::string mlpPostNorm;
  /// A name that ends in a period stands for one tensor per head, without biases.
  std::string queryNorm = "self_attn.q_norm";
  std::string keyNorm = "self_attn.k_norm";
  std::string queryKeyValue;  ///< one tensor of q, k and v; empty: three tensors
  std::string attentionOut = "self_attn.o_proj";
  std::string in;      ///< of an MLP without a gate
  std::string gateUp;  ///< one tensor of gate and up; empty: two tensors
  std::string down = "mlp.down_proj";
  MoeNames moe;
  std::string finalNorm = "norm";
};

/// Every tensor of the text model, the embedding first.
/// @param spec without learned positions, with a final norm
std::vector<TensorBinding> decoderTensors(const ModelSpec& spec,
                                          const DecoderNames& names);

/// Suffixes of stored tensors that are not read: buffers, a tied head.
std::vector<std::string> decoderIgnoredSuffixes(const ModelSpec& spec);

/// Names with the prefix "model.", and names without it: transformers omits the prefix
/// when it saves a model without a head.
std::vector<NameScheme> decoderSchemes();

}  // namespace equipatch
