// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace equipatch {

/// head_dim. A compile-time constant, so that loops over a head can keep values in
/// registers.
inline constexpr std::int64_t kHeadDim = 32;

/// Sizes of a Gemma 3 text model, with Hugging Face's keys.
struct NetworkShape {
  std::int64_t vocabulary = 0;  ///< vocab_size
  std::int64_t width = 192;     ///< hidden_size
  std::int64_t mlpWidth = 384;  ///< intermediate_size
  std::int64_t layers = 8;      ///< num_hidden_layers
  std::int64_t heads = 6;       ///< num_attention_heads
  std::int64_t kvHeads = 2;     ///< num_key_value_heads
  /// sliding_window: tokens that a token attends to in a local layer, itself included
  std::int64_t window = 64;
  /// sliding_window_pattern: every windowPattern-th layer is global
  std::int64_t windowPattern = 2;
  std::int64_t maxPositions = 1024;  ///< max_position_embeddings
  double localPeriod = 1e4;          ///< rope_local_base_freq
  double globalPeriod = 1e5;         ///< rope_theta
  double epsilon = 1e-6;             ///< rms_norm_eps

  bool isLocal(std::int64_t layer) const { return (layer + 1) % windowPattern != 0; }
  std::int64_t queryWidth() const { return heads * kHeadDim; }
  std::int64_t keyWidth() const { return kvHeads * kHeadDim; }
  /// Query heads that share a key head.
  std::int64_t headsPerKey() const { return heads / kvHeads; }
};

enum class ParameterKind {
  Matrix,     ///< randomly initialised, with weight decay
  Embedding,  ///< randomly initialised, without weight decay
  Scale,      ///< scale of a LayerNorm, scale of an RMSNorm minus 1 (as in Gemma), or a
              ///< bias; without weight decay
};

struct Parameter {
  std::string name;  ///< as in Hugging Face's files
  std::vector<std::int64_t> shape;
  ParameterKind kind = ParameterKind::Matrix;
  std::int64_t offset = 0;  ///< of the first element, in the vector of all parameters
  std::int64_t count = 0;
};

/// A row-major matrix in the vector of all parameters.
struct MatrixRange {
  std::int64_t offset = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

struct LayerRanges {
  std::int64_t inputNorm = 0, queryNorm = 0, keyNorm = 0;  // offsets
  std::int64_t postAttentionNorm = 0, preMlpNorm = 0, postMlpNorm = 0;
  MatrixRange queryKeyValue, output, gateUp, down;
};

/// Offsets of all parameters in one vector. Matrices with the same input are adjacent, so
/// that one matrix product computes all their outputs.
class ParameterLayout {
 public:
  explicit ParameterLayout(const NetworkShape& shape);

  const std::vector<Parameter>& parameters() const { return m_parameters; }
  std::int64_t size() const { return m_size; }
  const MatrixRange& embedding() const { return m_embedding; }
  const LayerRanges& layer(std::int64_t index) const {
    return m_layers.at(static_cast<std::size_t>(index));
  }
  std::int64_t finalNorm() const { return m_finalNorm; }

 private:
  std::int64_t add(std::string name, std::vector<std::int64_t> shape, ParameterKind kind);
  LayerRanges addLayer(const NetworkShape& shape, const std::string& prefix);

  std::vector<Parameter> m_parameters;
  std::vector<LayerRanges> m_layers;
  MatrixRange m_embedding;
  std::int64_t m_finalNorm = 0;
  std::int64_t m_size = 0;
};

/// Concatenated documents without padding; attention stays within a document.
struct Batch {
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> ends;  ///< one past the last token of each document
  /// Indices in `ids` of the tokens whose successors enter the loss, ascending.
  std::vector<std::int64_t> rows;
  std::vector<std::int32_t> successors;  ///< [rows] the token after each of `rows`

  std::int64_t tokens() const { return static_cast<std::int64_t>(ids.size()); }
};

/// Type of the matrix products' inputs and outputs. The residual stream, sums and
/// parameter gradients are always float32.
enum class Precision { Float32, Bfloat16 };

/// Gemma 3 with a hand-written backward pass. Threads may compute at once, but not during
/// `setParameters`.
class Network {
 public:
  virtual ~Network() = default;

  static std::unique_ptr<Network> create(const NetworkShape& shape, Precision precision);

  /// Limits libtorch to one thread for operations of the calling thread and of threads
  /// that use libtorch for the first time afterwards.
  static void useOneThread();

  virtual const ParameterLayout& layout() const = 0;

  /// Call this again after every change of the parameters: a bfloat16 network keeps a
  /// converted copy.
  /// @param parameters [layout().size()], must outlive all later computations.
  virtual void setParameters(std::span<const float> parameters) = 0;

  // The following functions need `setParameters` first. They throw Error{BadInput} for a
  // document of more than maxPositions tokens.

  /// The cross entropy at each of the batch's `rows`.
  virtual std::vector<float> losses(const Batch& batch) const = 0;

  /// Returns the losses and adds scale · ∂(sum of losses)/∂parameters to `gradient`;
  /// `scale` is not 0.
  virtual std::vector<float> backpropagate(const Batch& batch, float scale,
                                           std::span<float> gradient) const = 0;

  /// The logits at the batch's `rows`, [rows, vocabulary].
  virtual std::vector<float> logits(const Batch& batch) const = 0;
};

}  // namespace equipatch
