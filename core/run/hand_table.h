// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/record/step_record.h"
#include "core/run/session.h"

namespace equipatch {

/// A row of an input projection's patch, ΔW = W (z_C − z) zᵀ / ‖z‖², multiplied out, so
/// that it can be followed with a pocket calculator: (W + ΔW) z = W z_C.
struct HandTable {
  /// One input channel: its activations, the row's weight for it, and that weight's
  /// change.
  struct Channel {
    std::size_t index = 0;
    double z = 0.0;         ///< without the absorbed part of the context
    double zContext = 0.0;  ///< z_C: with the absorbed part
    double weight = 0.0;    ///< W
    double change = 0.0;    ///< ΔW
  };
  /// Sums over channels of W z, ΔW z, (W + ΔW) z and W z_C.
  struct Sums {
    double before = 0.0, added = 0.0, patched = 0.0, contextual = 0.0;

    void add(const Channel& channel);
  };

  std::string matrix;  ///< "W_gate"
  std::size_t layer = 0;
  std::size_t row = 0;            ///< the one that the patch changes most
  std::vector<Channel> channels;  ///< those with the largest |z|, in descending order
  std::size_t otherCount = 0;
  Sums others;  ///< of the channels that are not listed
  Sums all;
  double difference = 0.0;  ///< u[row]: the patch's own value of W z_C − W z
  double zSquared = 0.0;    ///< ‖z‖²
};

/// The table of a layer's first patched matrix that multiplies z, at a step. Nothing
/// where the step's record has no factors, the layer has no patch, z is not finite, or
/// the weight is stored transposed, in parts, in a dtype other than bfloat16 and float32,
/// or in more bytes than the run's weights.
/// @param session with the run's weights
/// @param count number of channels to list
std::optional<HandTable> handTable(const Session& session, const StepRecord& step,
                                   std::size_t layer, std::size_t count);

}  // namespace equipatch
