#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/ids.h"

namespace equipatch {

/// How a norm computes. Always in float32 or wider; `m` is the scale as multiplied.
struct NormSpec {
  double eps = 1e-6;
  bool storedMinusOne = false;       ///< the checkpoint holds m − 1 (Gemma)
  bool scaleBeforeRounding = false;  ///< n·m is formed wide and rounded once (Gemma);
                                     ///< otherwise n is rounded first (Llama)
};

enum class RopeScaling { None, Linear, Llama3 };

/// Rotary position embedding, half-split pairs (i, i + headDim/2).
struct RopeSpec {
  double theta = 10000.0;
  RopeScaling scaling = RopeScaling::None;
  double factor = 1.0;                    ///< Linear and Llama3
  double lowFreqFactor = 1.0;             ///< Llama3
  double highFreqFactor = 4.0;            ///< Llama3
  std::int64_t originalPositions = 8192;  ///< Llama3

  bool operator==(const RopeSpec&) const = default;
};

enum class Activation { Silu, GeluTanh, GeluExact };

/// What differs from layer to layer.
struct LayerSpec {
  RopeSpec rope;
  /// Key j is visible from query i iff i − window < j ≤ i; absent: all j ≤ i.
  std::optional<std::int64_t> window;
};

/// What config.json says, as plain data: everything the computation needs to know and
/// nothing about which family it is. A needed difference between families is a field
/// here.
///
/// The block it describes, for resid_pre x (optional parts in brackets):
///   resid_mid v = x + [attn_post_norm](W_o · attention(attn_norm(x)) [+ b_o])
///   z = mlp_norm(v);  h = activation(W_gate z [+ b]) ⊙ (W_up z [+ b])
///   resid_post = v + [mlp_post_norm](W_down h [+ b])
struct ModelSpec {
  std::string architecture;  ///< for display only, e.g. "LlamaForCausalLM"

  std::int64_t vocabulary = 0;
  std::int64_t width = 0;     ///< of the residual stream, d_model
  std::int64_t mlpWidth = 0;  ///< of the feed-forward's inside, d_mlp
  std::int64_t heads = 0;
  std::int64_t kvHeads = 0;  ///< divides heads
  std::int64_t headDim = 0;
  std::int64_t maxPositions = 0;

  NormSpec norm;              ///< every norm of the model
  bool queryKeyNorm = false;  ///< q_norm, k_norm [headDim] per head, before the rotation
  bool attentionPostNorm = false;
  bool mlpPostNorm = false;
  bool queryKeyValueBias = false;
  bool attentionOutBias = false;
  bool mlpBias = false;

  Activation activation = Activation::Silu;
  double attentionScale = 1.0;  ///< multiplies q·k
  double embeddingScale = 1.0;  ///< multiplies embeddings; rounded to the dtype first
  std::optional<double> attentionSoftcap;  ///< s·tanh(score/s) before the mask
  std::optional<double> logitSoftcap;
  bool tiedHead = false;  ///< the head is the (unscaled) embedding matrix

  std::vector<LayerSpec> layers;

  std::optional<TokenId> beginOfSequence;
  std::vector<TokenId> endOfSequence;
  DType storedDType = DType::F32;  ///< what config.json announces

  std::int64_t layerCount() const { return static_cast<std::int64_t>(layers.size()); }
};

/// One weight the computation needs: its canonical name, where the checkpoint keeps it
/// and the shape that follows from the spec.
struct TensorBinding {
  std::string name;            ///< canonical: "embed", "head", "layers.3.W_gate"
  std::string checkpointName;  ///< "model.layers.3.mlp.gate_proj.weight"
  std::vector<std::int64_t> shape;
};

/// Canonical name of a layer's weight: layerWeight(3, "W_gate") = "layers.3.W_gate".
///
/// Canonical names: embed [vocabulary, width], head [vocabulary, width] (absent when
/// tied), final_norm [width]; per layer attn_norm, W_q [heads·headDim, width], W_k, W_v
/// [kvHeads·headDim, width], W_o [width, heads·headDim], q_norm, k_norm [headDim],
/// attn_post_norm, mlp_norm, W_gate, W_up [mlpWidth, width], W_down [width, mlpWidth],
/// mlp_post_norm [width]; biases b_q, b_k, b_v, b_o, b_gate, b_up, b_down.
std::string layerWeight(std::int64_t layer, const char* weight);

/// Everything a family file produces from config.json.
struct ModelDescription {
  ModelSpec spec;
  std::vector<TensorBinding> tensors;
  /// Tensors that may be present and change nothing (buffers, a head that is tied), as
  /// PCRE-free suffixes: "rotary_emb.inv_freq".
  std::vector<std::string> ignoredSuffixes;
  std::vector<std::string> unreadKeys;  ///< of config.json
};

}  // namespace equipatch
