// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/run/model_list.h"

namespace equipatch::cli {

/// The object that `models --json` prints for one model; scripts rely on its keys.
nlohmann::ordered_json toJson(const ListedModel& model);

/// {"float32": {"total": …, "weights": …, "mapped": …, "cache": …, "scratch": …,
/// "positions": …, "images": …, "kept_parts": …}, …}
nlohmann::ordered_json memoryJson(const std::vector<MemoryEstimate>& needs);

/// {"state": "equal", "largest": 2e-06}; without "largest" if nothing was compared, and
/// with "problem" instead of "largest" if a check could not run.
nlohmann::ordered_json parityJson(const ParityBadge& badge);

/// Prints lines of at most 100 columns; a longer word, such as a path, is not broken.
void printModel(const ListedModel& model, std::optional<std::int64_t> freeBytes);

/// "float32 4.1 GB", followed by "(more than is free)" if the size exceeds `freeBytes`.
std::string needText(const MemoryEstimate& need, std::optional<std::int64_t> freeBytes);

}  // namespace equipatch::cli
