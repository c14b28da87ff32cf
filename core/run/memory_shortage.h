// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/memory_estimate.h"
#include "core/record/run_request.h"
#include "core/run/session.h"

namespace equipatch {

/// A model that needs more memory than is free.
struct MemoryShortage {
  std::string model;                    ///< display name, from `modelName`
  MemoryEstimate need;                  ///< in the requested dtype
  std::int64_t free = 0;                ///< bytes
  std::vector<MemoryEstimate> fitting;  ///< the dtypes that would fit, widest first
  std::optional<WeightPlace> place;     ///< as requested

  /// For the user: needed and free memory, disk reads of mapped weights, fitting dtypes.
  std::string sentence;
};

/// The need of a session with weights in `dtype` and of one run. If `computeFloat32`,
/// keys, values, states and activations of a 16-bit model count as float32.
MemoryEstimate sessionEstimate(const Checkpoint& checkpoint, DType dtype,
                               bool computeFloat32);

/// Nothing if the model fits in `dtype`, or if `needs` has no estimate for `dtype`.
/// @param needs widest dtype first
/// @param free bytes
std::optional<MemoryShortage> shortageOf(const std::string& model,
                                         const std::vector<MemoryEstimate>& needs,
                                         DType dtype, std::int64_t free,
                                         std::optional<WeightPlace> place = {});

/// Reads only the checkpoint's headers. Call before loading the model.
/// @returns nothing if the model fits, if the free memory is unknown, and for devices
/// other than the CPU.
/// @throws Error as `Checkpoint::open`.
std::optional<MemoryShortage> findShortage(const SessionRequest& request);

/// Says that the run's keys, values, recurrent inputs and activations do not fit into
/// `free`. Empty if they fit, and for devices other than the CPU.
/// @param free bytes that are free beside the loaded model
std::string runShortage(const Session& session, const RunRequest& request,
                        std::int64_t free);

}  // namespace equipatch
