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

  /// Needed and free memory, what mapped weights cost, and the dtypes that fit.
  std::string sentence;
};

/// The memory that a session with weights in `dtype` and one run of it need. With
/// `computeFloat32` and 16-bit weights, keys, values, states and activations are counted
/// in float32.
MemoryEstimate sessionEstimate(const Checkpoint& checkpoint, DType dtype,
                               bool computeFloat32);

/// The shortage if the need in `dtype` exceeds `free`; nothing if it does not, or if
/// `needs` has no estimate for `dtype`.
/// @param needs one for each dtype, widest first
/// @param free bytes
std::optional<MemoryShortage> shortageOf(const std::string& model,
                                         const std::vector<MemoryEstimate>& needs,
                                         DType dtype, std::int64_t free,
                                         std::optional<WeightPlace> place = {});

/// Estimates the model's memory from the checkpoint's headers and compares it with the
/// free memory; call before loading.
/// @returns nothing when the model fits, when the free memory is unknown, and for devices
/// other than the CPU.
/// @throws Error as opening the checkpoint does.
std::optional<MemoryShortage> findShortage(const SessionRequest& request);

/// A sentence about a run whose keys, values, recurrent inputs and activations do not fit
/// into the free memory beside the loaded model; empty where they do, and for devices
/// other than the CPU.
/// @param free bytes
std::string runShortage(const Session& session, const RunRequest& request,
                        std::int64_t free);

}  // namespace equipatch
