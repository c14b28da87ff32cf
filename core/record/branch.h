// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/record/run_record.h"

namespace equipatch {

/// Finds where a run branched off another run: the branch's prompt consists of the other
/// run's prompt, with the same images, tokens that the other run generated, and one more
/// token.
/// @returns the step of the other run that corresponds to the branch's step 0: the number
/// of tokens by which the branch's prompt is longer. Empty if the run is not such a
/// branch.
std::optional<std::int64_t> branchPoint(const RunHeader& branch, const RunHeader& other,
                                        const Steps& steps);

/// A run whose place among others is asked for. Both outlive the call.
struct PlacedRun {
  const RunHeader* header;
  const Steps* steps;
};

/// The place of a run's step 0 on an axis of steps.
struct RunPlace {
  /// Index of the first run with the prompt and model of this run's earliest ancestor, or
  /// of this run if it has none. Runs of one root may share an axis.
  std::size_t root = 0;
  std::int64_t step = 0;                   ///< counted in the steps of the root
  std::optional<std::size_t> parent = {};  ///< index of the nearest ancestor
};

/// The places of these runs: a branch begins at the step at which it left its parent, the
/// nearest of its ancestors among these runs; a run without ancestors begins at 0.
std::vector<RunPlace> placesOf(const std::vector<PlacedRun>& runs);

}  // namespace equipatch
