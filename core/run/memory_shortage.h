#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/memory_estimate.h"
#include "core/run/session.h"

namespace equipatch {

/// A model that takes more memory than is free.
struct MemoryShortage {
  std::string model;                    ///< last part of the folder
  MemoryEstimate need;                  ///< in the dtype asked for
  std::int64_t free = 0;                ///< bytes
  std::vector<MemoryEstimate> fitting;  ///< the dtypes that would fit, widest first

  std::string sentence;  ///< what is needed, what is free, what would fit
};

/// Whether `needs` of the dtype asked for exceed what is free. Looks at nothing else.
std::optional<MemoryShortage> shortageOf(const std::string& model,
                                         const std::vector<MemoryEstimate>& needs,
                                         DType dtype, std::int64_t free);

/// Looks at the checkpoint's headers and the free memory; call before loading. Nothing
/// when it fits, when the system is silent, and for devices with memory of their own.
/// @throws Error as opening the checkpoint does.
std::optional<MemoryShortage> findShortage(const SessionRequest& request);

}  // namespace equipatch
