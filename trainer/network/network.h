// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trainer/network/parameter_layout.h"

namespace equipatch {

/// Documents in one row of tokens without padding; attention stays within a document.
struct Batch {
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> ends;        ///< one past the last token of each document
  std::vector<std::int64_t> rows;        ///< tokens whose successor is learned, ascending
  std::vector<std::int32_t> successors;  ///< [rows] the tokens that follow them

  std::int64_t tokens() const { return static_cast<std::int64_t>(ids.size()); }
};

/// Type of the matrix products' inputs and outputs. The residual stream, sums and
/// parameter gradients are always float32.
enum class Precision { Float32, Bfloat16 };

/// Gemma 3 with a backward pass written by hand. Any thread may compute while no thread
/// sets parameters.
class Network {
 public:
  virtual ~Network() = default;

  static std::unique_ptr<Network> create(const NetworkShape& shape, Precision precision);

  /// Limits libtorch to one thread for operations of the calling thread.
  static void computeAlone();

  virtual const NetworkShape& shape() const = 0;
  virtual const ParameterLayout& layout() const = 0;

  /// @param parameters [layout().size()], must outlive all later computations.
  virtual void setParameters(std::span<const float> parameters) = 0;

  /// Cross entropy of every learned row of the batch, in order.
  virtual std::vector<float> losses(const Batch& batch) const = 0;

  /// Returns the losses and adds scale · ∂(sum of losses)/∂parameters to `gradient`.
  virtual std::vector<float> backpropagate(const Batch& batch, float scale,
                                           std::span<float> gradient) const = 0;

  /// [rows, vocabulary], for the batch's learned rows.
  virtual std::vector<float> logits(const Batch& batch) const = 0;
};

}  // namespace equipatch
