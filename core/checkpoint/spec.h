// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/ids.h"
#include "core/checkpoint/layer_spec.h"

namespace equipatch {

/// A model as plain data: everything that the computation needs from config.json,
/// independent of the family. A difference between families is a field here.
///
/// The block for its input x = resid_pre, with the residual scale r; brackets enclose
/// optional parts:
///   resid_mid = x + r·[attn_post_norm](W_o · attention([attn_norm](x)) [+ b_o])
///   mlp_in = [mlp_norm](resid_mid), or of x in a parallel block;  h: see MlpForm
///   resid_post = resid_mid + r·[mlp_post_norm](W_down h [+ b])
/// With PostNormPlace::Sum the post-norms apply to the sums resid_mid and resid_post.
struct ModelSpec {
  std::string architecture;  ///< for display only, e.g. "LlamaForCausalLM"

  std::int64_t vocabulary = 0;
  std::int64_t width = 0;     ///< d_model
  std::int64_t mlpWidth = 0;  ///< d_mlp of the dense feed-forward
  std::int64_t heads = 0;
  std::int64_t kvHeads = 0;  ///< divides heads
  std::int64_t headDim = 0;
  std::int64_t maxPositions = 0;
  bool learnedPositions = false;  ///< learned absolute position embeddings

  NormSpec norm;  ///< of every norm in the model
  QueryKeyNorm queryKeyNorm = QueryKeyNorm::None;
  bool attentionPreNorm = true;
  bool attentionPostNorm = false;
  bool mlpPreNorm = true;
  bool mlpPostNorm = false;
  PostNormPlace postNormPlace = PostNormPlace::Branch;
  bool queryKeyValueBias = false;
  bool attentionOutBias = false;
  bool mlpBias = false;  ///< of the dense feed-forward
  bool headBias = false;
  bool finalNorm = true;  ///< before the head

  MlpInput mlpInput = MlpInput::ResidMid;
  MlpForm mlpForm = MlpForm::Gated;
  Activation activation = Activation::Silu;
  /// Gated form: h = activation(min(gate, limit)) ⊙ (clamp(up, ±limit) + 1).
  std::optional<double> gateLimit;
  std::optional<MoeSpec> moe;

  double embeddingScale = 1.0;             ///< multiplies embeddings
  bool roundEmbeddingScale = true;         ///< round embeddingScale to the dtype first
  double residualScale = 1.0;              ///< multiplies each branch before it is added
  double logitScale = 1.0;                 ///< multiplies the logits
  std::optional<double> attentionSoftcap;  ///< s·tanh(score/s) before the mask
  bool attentionSinks = false;  ///< a learned score per head, whose share is dropped
  std::optional<double> logitSoftcap;
  bool tiedHead = false;  ///< the head is the unscaled embedding matrix

  std::vector<LayerSpec> layers;

  std::optional<TokenId> beginOfSequence;
  std::vector<TokenId> endOfSequence;
  DType storedDType = DType::F32;  ///< as config.json states it

  /// Whether a post-norm scales the feed-forward's output, so that Δm of its scale is a
  /// patch.
  bool scalesBranch() const {
    return mlpPostNorm && postNormPlace == PostNormPlace::Branch;
  }
  /// Whether that norm has a bias, which then absorbs the rest of the patch.
  bool closesWithNormBias() const { return scalesBranch() && norm.bias; }
  std::int64_t layerCount() const { return static_cast<std::int64_t>(layers.size()); }
};

/// Position of a weight in a stored tensor. The stored outputs (rows, or columns when
/// transposed) are `groups` × `parts` × n; the weight is the `span` parts from `index` on
/// of each group. The default is the whole tensor.
///   GPT-2's c_attn: transposed, groups 1, parts 3. GPT-NeoX: groups = heads, parts 3.
///   W_q in Phi-3's qkv_proj: parts = heads + 2 kvHeads, span = heads.
///   Expert 3's W_gate in gpt-oss: slices = experts, slice 3, transposed, groups =
///   expertWidth, parts 2.
struct TensorPart {
  bool transposed = false;  ///< the file holds [inputs, outputs]
  std::int64_t groups = 1;
  std::int64_t parts = 1;
  std::int64_t index = 0;
  std::int64_t span = 1;  ///< 1 in every matrix that a patch changes
  /// Leading dimension of the stored tensor, of which the weight is in one slice; 0:
  /// none. Run files leave it out: an expert's name says its slice.
  std::int64_t slices = 0;
  std::int64_t slice = 0;

  bool operator==(const TensorPart&) const = default;
};

/// Which prefix of a NameScheme a tensor's stored name has.
enum class TensorScope { Body, Head };

/// A weight that the computation needs: canonical name, stored name and shape.
struct TensorBinding {
  std::string name;                 ///< canonical: "embed", "head", "layers.3.W_gate"
  std::string checkpointName;       ///< without prefix: "layers.3.mlp.gate_proj.weight"
  std::vector<std::int64_t> shape;  ///< canonical; see storedShape
  TensorScope scope = TensorScope::Body;
  TensorPart part = {};
};

/// Shape of the whole stored tensor that contains the weight.
std::vector<std::int64_t> storedShape(const TensorBinding& binding);

/// The prefixes that one way of saving a model puts before the stored names.
struct NameScheme {
  std::string body = "model.";
  std::string head;
};

/// Canonical name of a layer's weight: layerWeight(3, "W_gate") = "layers.3.W_gate".
///
/// Canonical names: embed [vocabulary, width], positions [maxPositions, width] (learned
/// ones), head [vocabulary, width] (absent when tied), b_head, final_norm [width]; per
/// layer attn_norm, W_q [heads·headDim, width], W_k, W_v [kvHeads·headDim, width], W_o
/// [width, heads·headDim], sinks [heads], q_norm, k_norm, attn_post_norm, mlp_norm,
/// W_gate, W_up or W_in [mlpWidth, width], W_down [width, mlpWidth], mlp_post_norm
/// [width]; biases b_q, b_k, b_v, b_o, b_gate, b_up, b_in, b_down, and of norms
/// "attn_norm.bias", …. In a MoE layer: W_router [experts, width], b_router,
/// "experts.5.W_gate", … and, if every token also uses a shared expert, "shared.W_gate",
/// … and W_shared_router [1, width].
std::string layerWeight(std::int64_t layer, const std::string& weight);

/// What a family file derives from config.json.
struct ModelDescription {
  ModelSpec spec;
  /// The first is the embedding.
  std::vector<TensorBinding> tensors;
  /// Alternative prefixes of the stored names. A checkpoint follows the first scheme
  /// under which it contains the embedding. schemes[0] is that of the class in
  /// transformers.
  std::vector<NameScheme> schemes{NameScheme{}};
  /// Suffixes of tensors that may be present and do not affect the computation (buffers,
  /// a tied head): "rotary_emb.inv_freq".
  std::vector<std::string> ignoredSuffixes;
  /// Prefixes of parts that are not computed: "vision_tower.".
  std::vector<std::string> ignoredPrefixes;
  std::vector<std::string> unreadKeys;  ///< keys of config.json that were not read
};

}  // namespace equipatch
