// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/memory_estimate.h"
#include "core/run/session.h"

namespace equipatch {

/// A model that needs more memory than is free.
struct MemoryShortage {
  std::string model;                    ///< last part of the folder
  MemoryEstimate need;                  ///< in the requested dtype
  std::int64_t free = 0;                ///< bytes
  std::vector<MemoryEstimate> fitting;  ///< the dtypes that would fit, widest first

  std::string sentence;  ///< needed and free memory, and the dtypes that fit
};

/// The shortage if the need in `dtype` exceeds `free`.
std::optional<MemoryShortage> shortageOf(const std::string& model,
                                         const std::vector<MemoryEstimate>& needs,
                                         DType dtype, std::int64_t free);

/// Estimates the model's memory from the checkpoint's headers and compares it with the
/// free memory; call before loading.
/// @returns nothing when the model fits, when the free memory is unknown, and for devices
/// other than the CPU.
/// @throws Error as opening the checkpoint does.
std::optional<MemoryShortage> findShortage(const SessionRequest& request);

}  // namespace equipatch
