#pragma once

#include <cstdint>
#include <optional>
#include <string>

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

/// Which two components of a head rotate together.
enum class RopePairs {
  HalfSplit,    ///< (i, i + dims/2)
  Interleaved,  ///< (2i, 2i + 1)
};

/// Rotary position embedding.
struct RopeSpec {
  double theta = 10000.0;
  std::int64_t dims = 0;  ///< the head's first so many components rotate; even
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

/// What a norm behind a branch normalises.
enum class PostNormPlace {
  Branch,  ///< v = x + r·norm(branch)
  Sum,     ///< v = norm(x + r·branch), as in Vaswani et al.: the norm closes the block
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

/// A mixture of experts (MoE): the router's softmax over all experts, of which the
/// `active` largest are kept.
struct MoeSpec {
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
  bool moe = false;             ///< the feed-forward is the spec's mixture of experts
};

/// What a matrix of the feed-forward does.
enum class MatrixRole {
  Gate,
  Up,
  In,
  Down,
  Router,        ///< of the experts of a MoE block
  SharedRouter,  ///< the sigmoid gate of the expert that every token uses
};

/// Which of a block's feed-forward matrices.
struct MatrixId {
  static constexpr std::int64_t kDense = -1;   ///< not one of several experts
  static constexpr std::int64_t kShared = -2;  ///< the expert that every token uses

  MatrixRole role = MatrixRole::Gate;
  std::int64_t expert = kDense;

  bool operator==(const MatrixId&) const = default;
};

/// What records call it: "gate", "up", "in", "down", "router", "shared_router";
/// "shared_gate", …; all experts of a MoE block share "gate", "up", "down".
std::string matrixName(MatrixId id);

/// Its canonical weight name: "W_gate", "experts.3.W_gate", "shared.W_down".
std::string weightName(MatrixId id);

}  // namespace equipatch
