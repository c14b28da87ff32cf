// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace equipatch {

enum class NormKind {
  Rms,    ///< n = x / sqrt(mean(x²) + eps)
  Layer,  ///< the same formula with x − mean(x) in place of x
};

/// A norm, computed in float32 or wider; `m` is its scale.
struct NormSpec {
  NormKind kind = NormKind::Rms;
  double eps = 1e-6;
  bool bias = false;                 ///< n ⊙ m + b
  bool storedMinusOne = false;       ///< the checkpoint holds m − 1
  bool scaleBeforeRounding = false;  ///< n·m is rounded once (Gemma, LayerNorm);
                                     ///< otherwise n is rounded first (Llama)
};

enum class RopeScaling {
  None,
  Linear,
  Llama3,
  Yarn,
  Dynamic,
  LongRope,
  Proportional,  ///< `dims` is a whole head; only the first `turningPairs` pairs rotate
};

/// Pairs of a head's components that rotate together.
enum class RopePairs {
  HalfSplit,    ///< (i, i + dims/2)
  Interleaved,  ///< (2i, 2i + 1)
};

struct RopeSpec {
  double theta = 10000.0;
  std::int64_t dims = 0;  ///< the first `dims` components of a head rotate; even
  RopePairs pairs = RopePairs::HalfSplit;
  RopeScaling scaling = RopeScaling::None;
  double factor = 1.0;                    ///< every scaling but LongRope
  double lowFreqFactor = 1.0;             ///< Llama3
  double highFreqFactor = 4.0;            ///< Llama3
  std::int64_t originalPositions = 8192;  ///< Llama3, Yarn, Dynamic, LongRope
  double betaFast = 32.0;                 ///< Yarn
  double betaSlow = 1.0;                  ///< Yarn
  bool truncate = true;                   ///< Yarn: round the bounds of the ramp
  double magnitude = 1.0;                 ///< Yarn, LongRope: multiplies cosine and sine
  /// LongRope: each pair's frequency is divided by the pair's factor. Texts of at most
  /// `originalPositions` tokens use `shortFactors`, longer texts `longFactors`.
  std::vector<double> shortFactors, longFactors;
  std::int64_t turningPairs = 0;  ///< Proportional

  bool operator==(const RopeSpec&) const = default;
};

enum class Activation { Silu, GeluTanh, GeluExact, QuickGelu, Relu };

/// Norms of queries and keys before the rotary embedding, of the model's NormKind.
enum class QueryKeyNorm {
  None,
  PerHead,     ///< per head, one scale [headDim] for all heads
  OwnPerHead,  ///< per head, each with its own scale [heads, headDim]; never a bias
  WholeWidth,  ///< over all heads at once, scale [heads·headDim]
};

/// Operand of a post-norm; r is ModelSpec::residualScale.
enum class PostNormPlace {
  Branch,  ///< x + r·norm(branch)
  Sum,     ///< norm(x + r·branch), as in Vaswani et al.
};

enum class MlpInput {
  ResidMid,        ///< sequential block: mlp_norm(resid_mid)
  ResidPre,        ///< parallel block with two norms: mlp_norm(resid_pre)
  AttentionInput,  ///< parallel block with one norm: attn_norm(resid_pre)
};

enum class MlpForm {
  Gated,  ///< h = activation(W_gate mlp_in [+ b]) ⊙ (W_up mlp_in [+ b])
  Plain,  ///< h = activation(W_in mlp_in [+ b])
};

/// A mixture of experts (MoE): the router's softmax gives every expert a weight, its
/// gate; the `active` experts with the largest gates are used.
struct MoeSpec {
  std::int64_t experts = 0;
  std::int64_t active = 0;
  std::int64_t expertWidth = 0;  ///< d_mlp of one expert
  bool normaliseGates = true;    ///< divide the active experts' gates by their sum
  bool bias = false;             ///< of the router and of every expert's matrices
  std::int64_t sharedWidth = 0;  ///< d_mlp of the sigmoid-gated shared expert; 0: none
  /// A dense MLP runs beside the experts. This MLP, the experts and the router have norms
  /// of their own; learned scales multiply the router's input and the gates.
  bool besideDense = false;
};

/// Properties that may differ between layers.
struct LayerSpec {
  std::optional<RopeSpec> rope;  ///< absent: no rotary embedding
  /// Query i sees key j iff i − window < j ≤ i (absent: j ≤ i) or both are in the same
  /// TokenGroup.
  std::optional<std::int64_t> window;
  double attentionScale = 1.0;  ///< multiplies the scores q·k
  bool moe = false;             ///< the MLP is ModelSpec::moe
  bool recurrent = false;       ///< the token mixer is ModelSpec::deltaNet, not attention
  std::optional<std::int64_t> headDim, kvHeads, mlpWidth;  ///< absent: the model's
  bool valueIsKey = false;  ///< values are W_k's product, before k_norm and rotation
  /// The earlier layer whose keys and values this layer reads instead of its own.
  std::optional<std::int64_t> keysOf;
};

enum class MatrixRole {
  Gate,
  Up,
  In,
  Down,
  Router,        ///< chooses the experts of a MoE block
  SharedRouter,  ///< sigmoid gate of the shared expert
};

/// One of the matrices of a block's MLP.
struct MatrixId {
  static constexpr std::int64_t kDense = -1;   ///< of the dense MLP
  static constexpr std::int64_t kShared = -2;  ///< of the shared expert
  static constexpr std::int64_t kBeside = -3;  ///< of the dense MLP beside experts

  MatrixRole role = MatrixRole::Gate;
  std::int64_t expert = kDense;  ///< an index, or a constant above; routers: kDense

  bool operator==(const MatrixId&) const = default;
};

/// Name in records: "gate", "up", "in", "down", "router", "shared_router", "shared_gate",
/// "dense_gate" (kBeside), …. All experts of a MoE block share "gate", "up", "down".
std::string matrixName(MatrixId id);

/// Canonical weight name: "W_gate", "experts.3.W_gate", "shared.W_down".
std::string weightName(MatrixId id);

}  // namespace equipatch
