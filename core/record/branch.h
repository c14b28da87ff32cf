// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/record/run_record.h"

namespace equipatch {

/// Finds where `branch` left `other`, a run of the same model with the same images. The
/// prompt of `branch` must consist of the prompt of `other`, then tokens that `other`
/// generated (maybe none), then one token in place of the next generated one. A run that
/// records that it is no branch (BranchOrigin) left no other. If `branch` records the
/// length of its earliest ancestor's prompt, the prompt of `other` must not be shorter.
/// @param steps the steps of `other`
/// @returns the step of `other` that corresponds to step 0 of `branch`: the number of
/// tokens by which the prompt of `branch` is longer; nullopt if `branch` did not leave
/// `other`
std::optional<std::int64_t> branchPoint(const RunHeader& branch, const RunHeader& other,
                                        const Steps& steps);

/// A run and its steps, not owned.
struct PlacedRun {
  const RunHeader* header;
  const Steps* steps;
  std::string file = {};  ///< the file's name without its folder; empty: no file
};

/// True if `branch` records that it left the run in the file of `run`. The tokens do not
/// tell, because several runs may have generated the same ones.
bool isRecordedParent(const PlacedRun& run, const RunHeader& branch);

/// The place of a run's step 0 on an axis of steps.
struct RunPlace {
  /// Index of the first run with the same earliest ancestor (prompt, images and model);
  /// the ancestor need not be among the runs. Runs with equal `root` may share an axis.
  std::size_t root = 0;
  std::int64_t step = 0;  ///< counted in the steps of the earliest ancestor
  /// Index of the recorded parent; if `runs` lacks it, of the run with the longest prompt
  /// that branchPoint accepts.
  std::optional<std::size_t> parent = {};
};

/// The length of the earliest ancestor's prompt, in tokens. If the run is not known to be
/// a branch, this is the length of its own prompt.
std::size_t rootLength(const RunRequest& request);

/// The request with its prompt cut to `rootLength` tokens. The absorbed part is not cut
/// and may name later positions.
RunRequest rootRequest(RunRequest request);

/// The header with `rootRequest` of its request.
std::shared_ptr<const RunHeader> rootHeader(std::shared_ptr<const RunHeader> header);

/// The place of each run. A branch begins one step after the step at which it left its
/// parent; if `runs` lacks the parent, the branch's BranchOrigin gives the place. Runs
/// that are not known to be branches begin at 0.
std::vector<RunPlace> placesOf(const std::vector<PlacedRun>& runs);

}  // namespace equipatch
