// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/ids.h"
#include "core/checkpoint/delta_net_spec.h"
#include "core/checkpoint/layer_spec.h"
#include "core/checkpoint/tensor_binding.h"
#include "core/checkpoint/vision_spec.h"

namespace equipatch {

/// Everything that the computation needs from config.json, independent of the family.
///
/// The block computes from its input x = resid_pre, with r = residualScale and optional
/// parts in brackets:
///   resid_mid = x + r·[attn_post_norm](W_o · attention([attn_norm](x)) [+ b_o])
///   mlp_in = [mlp_norm](resid_mid) (parallel blocks: see MlpInput);  h: see MlpForm
///   resid_post = resid_mid + r·[mlp_post_norm](W_down h [+ b])
/// With a dense MLP beside experts (MoeSpec::besideDense) the post-norm applies to
///   dense_post_norm(W_down h) + experts_post_norm(Σ gate · W_down,e h_e)
/// where the experts read experts_norm(resid_mid), the router reads
/// router_scale ⊙ normalised(resid_mid) / sqrt(width), and expert_scale multiplies gates.
/// With PostNormPlace::Sum the post-norms apply to the sums resid_mid and resid_post.
/// The next block's input, with the token's per-layer embedding p if there is one:
///   [layer_scalar ·] (resid_post [+ per_layer_post_norm(W_per_layer_out g)])
///   with g = activation(W_per_layer_gate resid_post) ⊙ p
struct ModelSpec {
  std::string architecture;  ///< "LlamaForCausalLM"; must not affect the computation

  std::int64_t vocabulary = 0;
  std::int64_t width = 0;     ///< d_model
  std::int64_t mlpWidth = 0;  ///< d_mlp of the dense MLP
  std::int64_t heads = 0;
  std::int64_t kvHeads = 0;  ///< divides heads
  std::int64_t headDim = 0;
  std::int64_t maxPositions = 0;
  bool learnedPositions = false;  ///< learned absolute position embeddings

  NormSpec norm;  ///< of all norms except delta_norm and the vision tower's
  QueryKeyNorm queryKeyNorm = QueryKeyNorm::None;
  bool valueNorm = false;  ///< normalises values per head, without a scale
  bool attentionPreNorm = true;
  bool attentionPostNorm = false;
  bool mlpPreNorm = true;
  bool mlpPostNorm = false;
  PostNormPlace postNormPlace = PostNormPlace::Branch;
  bool queryKeyValueBias = false;
  bool attentionOutBias = false;
  bool mlpBias = false;  ///< of the dense MLP
  bool headBias = false;
  bool finalNorm = true;  ///< before the head

  MlpInput mlpInput = MlpInput::ResidMid;
  MlpForm mlpForm = MlpForm::Gated;
  Activation activation = Activation::Silu;
  /// Gated form: h = activation(min(gate, limit)) ⊙ (clamp(up, ±limit) + 1).
  std::optional<double> gateLimit;
  std::optional<MoeSpec> moe;

  std::int64_t perLayerWidth = 0;  ///< width of per-layer embeddings; 0: there are none
  bool layerScalar = false;        ///< a learned number multiplies the block's output

  double embeddingScale = 1.0;
  bool roundEmbeddingScale = true;         ///< round embeddingScale to the dtype first
  double residualScale = 1.0;              ///< multiplies each branch before it is added
  double logitScale = 1.0;                 ///< multiplies the logits
  std::optional<double> attentionSoftcap;  ///< s·tanh(score/s) before the mask
  bool attentionGate = false;  ///< σ(W_attn_gate attn_in) multiplies heads before W_o
  std::optional<DeltaNetSpec> deltaNet;
  bool attentionSinks = false;  ///< a learned score per head enters the softmax; the
                                ///< sink's probability is dropped
  std::optional<double> logitSoftcap;
  bool tiedHead = false;  ///< the head is the unscaled embedding matrix

  std::vector<LayerSpec> layers;
  std::optional<VisionSpec> vision;  ///< absent: the model's class takes no images

  std::optional<TokenId> beginOfSequence;
  std::vector<TokenId> endOfSequence;
  DType storedDType = DType::F32;  ///< as config.json states it, else F32

  /// True if a post-norm scales the MLP's output before it is added to resid_mid. A patch
  /// can change this scale.
  bool scalesBranch() const {
    return mlpPostNorm && postNormPlace == PostNormPlace::Branch;
  }
  /// True if scalesBranch() and the post-norm has a bias. A patch then changes this bias,
  /// not b_down.
  bool closesWithNormBias() const { return scalesBranch() && norm.bias; }
  std::int64_t headDimOf(const LayerSpec& layer) const {
    return layer.headDim.value_or(headDim);
  }
  std::int64_t kvHeadsOf(const LayerSpec& layer) const {
    return layer.kvHeads.value_or(kvHeads);
  }
  std::int64_t mlpWidthOf(const LayerSpec& layer) const {
    return layer.mlpWidth.value_or(mlpWidth);
  }
  bool hasDenseBeside() const { return moe && moe->besideDense; }
  bool sharesKeys() const;  ///< some layer reads an earlier layer's keys and values
  std::int64_t layerCount() const { return static_cast<std::int64_t>(layers.size()); }
};

/// layerWeight(3, "W_gate") = "layers.3.W_gate".
///
/// Canonical names: embed [vocabulary, width], positions [maxPositions, width] (if
/// learned), head [vocabulary, width] (absent when tied), b_head, final_norm [width]; per
/// layer attn_norm, W_q [heads·headDim, width], W_k, W_v [kvHeads·headDim, width], W_o
/// [width, heads·headDim], sinks [heads], q_norm, k_norm (or one for each head: q_norm.0,
/// k_norm.0, … [headDim]), attn_post_norm, mlp_norm, W_gate, W_up or W_in [mlpWidth,
/// width], W_down [width, mlpWidth], mlp_post_norm [width]; biases b_q, b_k, b_v,
/// b_attn_gate, b_o, b_gate, b_up, b_in, b_down, and of norms "attn_norm.bias", …. In a
/// MoE layer: W_router [experts, width], b_router, "experts.5.W_gate", … and, if every
/// token also uses a shared expert, "shared.W_gate", … and W_shared_router [1, width];
/// beside a dense MLP also experts_norm, dense_post_norm, experts_post_norm, router_scale
/// [width], expert_scale [experts]. With per-layer embeddings: per_layer_embed
/// [vocabulary, layers·perLayerWidth], W_per_layer [layers·perLayerWidth, width],
/// per_layer_norm [perLayerWidth], and per layer W_per_layer_gate [perLayerWidth, width],
/// W_per_layer_out [width, perLayerWidth], per_layer_post_norm [width]; layer_scalar [1].
/// With attentionGate: W_attn_gate [heads·headDim, width]. In a recurrent layer, besides
/// W_o [width, values]: W_delta_in [channels, width], W_delta_z [values, width],
/// W_delta_b, W_delta_a [valueHeads, width], delta_conv [channels, 1, kernel],
/// delta_A_log, delta_dt_bias [valueHeads], delta_norm [valueDim].
std::string layerWeight(std::int64_t layer, const std::string& weight);

/// The description that a family file derives from config.json.
struct ModelDescription {
  ModelSpec spec;
  /// The first is the embedding.
  std::vector<TensorBinding> tensors;
  /// Of the vision tower and its projector.
  std::vector<TensorBinding> visionTensors;
  /// Alternative prefixes of the stored names. The first scheme with which the
  /// checkpoint contains the embedding is used. schemes[0] is that of the class in
  /// transformers.
  std::vector<NameScheme> schemes{NameScheme{}};
  /// Name suffixes of stored tensors that do not affect the computation (buffers, a tied
  /// head): "rotary_emb.inv_freq".
  std::vector<std::string> ignoredSuffixes;
  /// Name prefixes of parts that Equipatch does not compute: "vision_tower.".
  std::vector<std::string> ignoredPrefixes;
  std::vector<std::string> unreadKeys;  ///< of config.json
};

}  // namespace equipatch
