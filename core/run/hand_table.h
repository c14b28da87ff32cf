// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/record/step_record.h"
#include "core/run/session.h"

namespace equipatch {

/// One row of the patch of an input projection, multiplied out for a pocket calculator:
/// ΔW = W (z_C − z) zᵀ / ‖z‖² gives (W + ΔW) z = W z_C.
struct HandTable {
  /// An input channel: its activations, and the row's entries in W and ΔW.
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
  std::size_t row = 0;            ///< the row that the patch changes most
  std::vector<Channel> channels;  ///< those with the largest |z|, in descending order
  std::size_t otherCount = 0;
  Sums others;  ///< of the channels not listed
  Sums all;
  double difference = 0.0;  ///< W z_C − W z as the patch has it: u[row]
  double zSquared = 0.0;    ///< ‖z‖²
};

/// The table of the layer's first patched matrix that multiplies z. Nothing if the record
/// has no factors, the layer has no patch, z is not finite, or the matrix is stored
/// transposed, in parts, or in a dtype other than bfloat16 and float32, or if the run's
/// weights are rounded.
/// @param session must have the run's weights
/// @param count number of channels to list
std::optional<HandTable> handTable(const Session& session, const StepRecord& step,
                                   std::size_t layer, std::size_t count);

}  // namespace equipatch
