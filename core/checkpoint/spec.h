#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/ids.h"
#include "core/checkpoint/layer_spec.h"

namespace equipatch {

/// What config.json says, as plain data: everything the computation needs to know and
/// nothing about which family it is. A needed difference between families is a field
/// here.
///
/// The block it describes, for resid_pre x (optional parts in brackets):
///   resid_mid v = x + r·[attn_post_norm](W_o · attention([attn_norm](x)) [+ b_o])
///   z = [mlp_norm](v), or of x in a parallel block;  h as MlpForm says
///   resid_post = v + r·[mlp_post_norm](W_down h [+ b]),  r the residual scale
/// With PostNormPlace::Sum the post-norms are applied to the sums v and resid_post.
struct ModelSpec {
  std::string architecture;  ///< for display only, e.g. "LlamaForCausalLM"

  std::int64_t vocabulary = 0;
  std::int64_t width = 0;     ///< of the residual stream, d_model
  std::int64_t mlpWidth = 0;  ///< of the dense feed-forward's inside, d_mlp
  std::int64_t heads = 0;
  std::int64_t kvHeads = 0;  ///< divides heads
  std::int64_t headDim = 0;
  std::int64_t maxPositions = 0;
  bool learnedPositions = false;  ///< a vector for each position is added at the start

  NormSpec norm;  ///< every norm of the model
  QueryKeyNorm queryKeyNorm = QueryKeyNorm::None;
  bool attentionPreNorm = true;
  bool attentionPostNorm = false;
  bool mlpPreNorm = true;
  bool mlpPostNorm = false;
  PostNormPlace postNormPlace = PostNormPlace::Branch;
  bool queryKeyValueBias = false;
  bool attentionOutBias = false;
  bool mlpBias = false;  ///< of the dense feed-forward's matrices
  bool headBias = false;
  bool finalNorm = true;  ///< before the head

  MlpInput mlpInput = MlpInput::ResidMid;
  MlpForm mlpForm = MlpForm::Gated;
  Activation activation = Activation::Silu;
  std::optional<MoeSpec> moe;

  double embeddingScale = 1.0;             ///< multiplies embeddings
  bool roundEmbeddingScale = true;         ///< the factor is rounded to the dtype first
  double residualScale = 1.0;              ///< multiplies each branch before it is added
  double logitScale = 1.0;                 ///< multiplies the logits
  std::optional<double> attentionSoftcap;  ///< s·tanh(score/s) before the mask
  std::optional<double> logitSoftcap;
  bool tiedHead = false;  ///< the head is the (unscaled) embedding matrix

  std::vector<LayerSpec> layers;

  std::optional<TokenId> beginOfSequence;
  std::vector<TokenId> endOfSequence;
  DType storedDType = DType::F32;  ///< what config.json announces

  /// A norm behind the feed-forward scales its output, so that Δm can change it.
  bool scalesBranch() const {
    return mlpPostNorm && postNormPlace == PostNormPlace::Branch;
  }
  /// That norm has a bias of its own, which takes what a patch must add.
  bool closesWithNormBias() const { return scalesBranch() && norm.bias; }
  std::int64_t layerCount() const { return static_cast<std::int64_t>(layers.size()); }
};

/// Where in a stored tensor a weight lies. The stored tensor's outputs (its rows, or,
/// when transposed, its columns) are `groups` × `parts` × n; the weight is part `index`
/// of each group. The default is the whole tensor.
///   GPT-2's c_attn: transposed, groups 1, parts 3.   NeoX's: groups = heads, parts 3.
struct TensorPart {
  bool transposed = false;  ///< the file holds [inputs, outputs]
  std::int64_t groups = 1;
  std::int64_t parts = 1;
  std::int64_t index = 0;

  bool operator==(const TensorPart&) const = default;
};

/// Under which of a name scheme's two prefixes a tensor is kept.
enum class TensorScope { Body, Head };

/// One weight the computation needs: its canonical name, where the checkpoint keeps it
/// and the shape that follows from the spec.
struct TensorBinding {
  std::string name;            ///< canonical: "embed", "head", "layers.3.W_gate"
  std::string checkpointName;  ///< without its prefix: "layers.3.mlp.gate_proj.weight"
  std::vector<std::int64_t> shape;  ///< canonical; the stored one follows from `part`
  TensorScope scope = TensorScope::Body;
  TensorPart part = {};
};

/// The shape of the whole tensor that holds the weight.
std::vector<std::int64_t> storedShape(const TensorBinding& binding);

/// Prefixes of the names in one way of saving a family.
struct NameScheme {
  std::string body = "model.";
  std::string head;
};

/// Canonical name of a layer's weight: layerWeight(3, "W_gate") = "layers.3.W_gate".
///
/// Canonical names: embed [vocabulary, width], positions [maxPositions, width] (learned
/// ones), head [vocabulary, width] (absent when tied), b_head, final_norm [width]; per
/// layer attn_norm, W_q [heads·headDim, width], W_k, W_v [kvHeads·headDim, width], W_o
/// [width, heads·headDim], q_norm, k_norm, attn_post_norm, mlp_norm, W_gate, W_up or W_in
/// [mlpWidth, width], W_down [width, mlpWidth], mlp_post_norm [width]; biases b_q, b_k,
/// b_v, b_o, b_gate, b_up, b_in, b_down, and of norms "attn_norm.bias", ….
/// In a MoE layer: W_router [experts, width], "experts.5.W_gate", … and, for the
/// expert that all use, "shared.W_gate", …, and W_shared_router [1, width].
std::string layerWeight(std::int64_t layer, const std::string& weight);

/// Everything a family file produces from config.json.
struct ModelDescription {
  ModelSpec spec;
  /// The first is the embedding.
  std::vector<TensorBinding> tensors;
  /// Ways of naming the same tensors; a checkpoint follows the first under which it has
  /// the embedding. The very first is how transformers' class names its modules today.
  std::vector<NameScheme> schemes{NameScheme{}};
  /// Tensors that may be present and change nothing (buffers, a head that is tied), as
  /// PCRE-free suffixes: "rotary_emb.inv_freq".
  std::vector<std::string> ignoredSuffixes;
  /// Parts of a larger model that are not computed: "vision_tower.".
  std::vector<std::string> ignoredPrefixes;
  std::vector<std::string> unreadKeys;  ///< of config.json
};

}  // namespace equipatch
