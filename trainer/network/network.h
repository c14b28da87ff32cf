#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trainer/network/parameter_layout.h"

namespace equipatch {

/// Documents one behind another, without padding: none sees its neighbours.
struct Batch {
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> ends;        ///< of each document: one past its last token
  std::vector<std::int64_t> rows;        ///< tokens whose successor is learned, ascending
  std::vector<std::int32_t> successors;  ///< [rows] what follows them

  std::int64_t tokens() const { return static_cast<std::int64_t>(ids.size()); }
};

/// What enters and leaves the matrix products. The residual stream, sums and gradients of
/// parameters are float32 either way.
enum class Precision { Float32, Bfloat16 };

/// Gemma 3 forwards and backwards, written out by hand: each layer's backward pass stands
/// beside its forward pass. Any thread may compute while nobody sets parameters; a
/// computation uses as many threads of libtorch as its own thread is allowed.
class Network {
 public:
  virtual ~Network() = default;

  static std::unique_ptr<Network> create(const NetworkShape& shape, Precision precision);

  /// From now on libtorch uses no other thread for what this thread asks of it.
  static void computeAlone();

  virtual const NetworkShape& shape() const = 0;
  virtual const ParameterLayout& layout() const = 0;

  /// @param parameters [layout().size()], must outlive every computation that follows.
  virtual void setParameters(std::span<const float> parameters) = 0;

  /// Cross entropy of every learned row of the batch, in its order.
  virtual std::vector<float> losses(const Batch& batch) const = 0;

  /// The same, and adds scale · ∂(their sum)/∂parameters to `gradient`.
  virtual std::vector<float> backpropagate(const Batch& batch, float scale,
                                           std::span<float> gradient) const = 0;

  /// [rows, vocabulary] of the batch's learned rows.
  virtual std::vector<float> logits(const Batch& batch) const = 0;
};

}  // namespace equipatch
