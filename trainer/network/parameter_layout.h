// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace equipatch {

/// head_dim. A constant, so that loops over a head stay in registers.
inline constexpr std::int64_t kHeadDim = 32;

/// Sizes of a Gemma 3 text model; comments name Hugging Face's keys where they differ.
struct NetworkShape {
  std::int64_t vocabulary = 0;
  std::int64_t width = 192;     ///< hidden_size
  std::int64_t mlpWidth = 384;  ///< intermediate_size
  std::int64_t layers = 8;
  std::int64_t heads = 6;
  std::int64_t kvHeads = 2;
  std::int64_t window = 64;        ///< tokens in a local layer's attention, with its own
  std::int64_t windowPattern = 2;  ///< every windowPattern-th layer is global
  std::int64_t maxPositions = 1024;
  double localPeriod = 1e4;   ///< rope_local_base_freq
  double globalPeriod = 1e5;  ///< rope_theta
  double epsilon = 1e-6;      ///< rms_norm_eps

  bool isLocal(std::int64_t layer) const { return (layer + 1) % windowPattern != 0; }
  std::int64_t queryWidth() const { return heads * kHeadDim; }
  std::int64_t keyWidth() const { return kvHeads * kHeadDim; }
  bool operator==(const NetworkShape&) const = default;
};

enum class ParameterKind {
  Matrix,     ///< randomly initialised, with weight decay
  Embedding,  ///< randomly initialised, without weight decay
  Scale,      ///< of an RMSNorm, minus 1 as in Gemma; without weight decay
};

struct Parameter {
  std::string name;  ///< as in Hugging Face's files
  std::vector<std::int64_t> shape;
  ParameterKind kind = ParameterKind::Matrix;
  std::int64_t offset = 0;  ///< of the first element
  std::int64_t count = 0;
};

/// Consecutive rows of parameters that form one matrix.
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
/// that one product computes all of them.
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

}  // namespace equipatch
