#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/ids.h"

namespace equipatch {

enum class NormKind {
  Rms,    ///< n = x / sqrt(mean(x²) + eps)
  Layer,  ///< the same of x − mean(x)
};

/// How a norm computes. Always in float32 or wider; `m` is the scale as multiplied.
struct NormSpec {
  NormKind kind = NormKind::Rms;
  double eps = 1e-6;
  bool bias = false;                 ///< n ⊙ m + b
  bool storedMinusOne = false;       ///< the checkpoint holds m − 1 (Gemma)
  bool scaleBeforeRounding = false;  ///< n·m is formed wide and rounded once (Gemma,
                                     ///< LayerNorm); otherwise n is rounded first (Llama)
};

enum class RopeScaling { None, Linear, Llama3, Yarn, Dynamic };

/// Which two components of a head turn together.
enum class RopePairs {
  HalfSplit,    ///< (i, i + dims/2)
  Interleaved,  ///< (2i, 2i + 1)
};

/// Rotary position embedding.
struct RopeSpec {
  double theta = 10000.0;
  std::int64_t dims = 0;  ///< the head's first so many components turn; even
  RopePairs pairs = RopePairs::HalfSplit;
  RopeScaling scaling = RopeScaling::None;
  double factor = 1.0;                    ///< every scaling
  double lowFreqFactor = 1.0;             ///< Llama3
  double highFreqFactor = 4.0;            ///< Llama3
  std::int64_t originalPositions = 8192;  ///< Llama3, Yarn, Dynamic
  double betaFast = 32.0;                 ///< Yarn
  double betaSlow = 1.0;                  ///< Yarn
  bool truncate = true;                   ///< Yarn: its bounds are whole numbers
  double magnitude = 1.0;                 ///< Yarn: cosine and sine are multiplied by it

  bool operator==(const RopeSpec&) const = default;
};

enum class Activation { Silu, GeluTanh, GeluExact, QuickGelu, Relu };

/// Norms of queries and keys before the rotation, of the model's kind.
enum class QueryKeyNorm {
  None,
  PerHead,     ///< each head by itself, one scale [headDim] for all
  OwnPerHead,  ///< each head by itself with a scale of its own, [heads, headDim]
  WholeWidth,  ///< all heads at once, scale [heads·headDim]
};

/// What the feed-forward reads.
enum class MlpInput {
  ResidMid,        ///< sequential block: z = mlp_norm(v)
  ResidPre,        ///< parallel block with two norms: z = mlp_norm(x)
  AttentionInput,  ///< parallel block with one norm: z = attn_norm(x)
};

enum class MlpForm {
  Gated,  ///< h = activation(W_gate z [+ b]) ⊙ (W_up z [+ b])
  Plain,  ///< h = activation(W_in z [+ b])
};

/// A mixture of gated experts: the router's softmax over all experts, of which the
/// `active` largest are kept.
struct MixtureSpec {
  std::int64_t experts = 0;
  std::int64_t active = 0;
  std::int64_t expertWidth = 0;  ///< d_mlp of one expert
  bool normaliseGates = true;    ///< the kept gates are divided by their sum
  /// d_mlp of an expert that every token uses, weighed by a sigmoid gate of its own; 0:
  /// there is none.
  std::int64_t sharedWidth = 0;
};

/// What differs from layer to layer.
struct LayerSpec {
  std::optional<RopeSpec> rope;  ///< absent: this layer does not rotate
  /// Key j is visible from query i iff i − window < j ≤ i; absent: all j ≤ i.
  std::optional<std::int64_t> window;
  double attentionScale = 1.0;  ///< multiplies q·k
  bool mixture = false;         ///< the feed-forward is the spec's mixture
};

/// What config.json says, as plain data: everything the computation needs to know and
/// nothing about which family it is. A needed difference between families is a field
/// here.
///
/// The block it describes, for resid_pre x (optional parts in brackets):
///   resid_mid v = x + r·[attn_post_norm](W_o · attention([attn_norm](x)) [+ b_o])
///   z = [mlp_norm](v), or of x in a parallel block;  h as MlpForm says
///   resid_post = v + r·[mlp_post_norm](W_down h [+ b]),  r the residual scale
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
  bool queryKeyValueBias = false;
  bool attentionOutBias = false;
  bool mlpBias = false;  ///< of the dense feed-forward's matrices
  bool headBias = false;

  MlpInput mlpInput = MlpInput::ResidMid;
  MlpForm mlpForm = MlpForm::Gated;
  Activation activation = Activation::Silu;
  std::optional<MixtureSpec> mixture;

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
/// In a mixture layer: W_router [experts, width], "experts.5.W_gate", … and, for the
/// expert that all use, "shared.W_gate", …, and W_shared_router [1, width].
std::string layerWeight(std::int64_t layer, const std::string& weight);

/// Everything a family file produces from config.json.
struct ModelDescription {
  ModelSpec spec;
  /// The first is the embedding.
  std::vector<TensorBinding> tensors;
  /// Ways of naming the same tensors; a checkpoint follows the first under which it has
  /// the embedding.
  std::vector<NameScheme> schemes{NameScheme{}};
  /// Tensors that may be present and change nothing (buffers, a head that is tied), as
  /// PCRE-free suffixes: "rotary_emb.inv_freq".
  std::vector<std::string> ignoredSuffixes;
  /// Parts of a larger model that are not computed: "vision_tower.".
  std::vector<std::string> ignoredPrefixes;
  std::vector<std::string> unreadKeys;  ///< of config.json
};

}  // namespace equipatch
