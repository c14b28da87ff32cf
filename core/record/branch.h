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

/// Finds where a run branched off another run of the same model: the branch's prompt is
/// the other run's prompt, then tokens that the other run generated, then one token in
/// place of the next one that it generated; the images are the same. A run whose record
/// says that its prompt was typed is no branch. If the branch records how long the prompt
/// of its earliest ancestor is, a run with a shorter prompt is not an ancestor.
/// @returns the step of the other run that corresponds to the branch's step 0: the number
/// of tokens by which the branch's prompt is longer. Empty if the run is not such a
/// branch.
std::optional<std::int64_t> branchPoint(const RunHeader& branch, const RunHeader& other,
                                        const Steps& steps);

/// An input of placesOf. Header and steps outlive the call.
struct PlacedRun {
  const RunHeader* header;
  const Steps* steps;
  std::string file = {};  ///< the name of its file, without its folder; empty: no file
};

/// True if `branch` records the file of `run` as that of the run that it left. The tokens
/// do not tell, because another run may have generated the same ones.
bool isRecordedParent(const PlacedRun& run, const RunHeader& branch);

/// The place of a run's step 0 on an axis of steps.
struct RunPlace {
  /// Index of the first run whose earliest recorded ancestor has the same prompt, images
  /// and model as that of this run. The ancestor need not be among the runs. Runs of one
  /// root may share an axis.
  std::size_t root = 0;
  std::int64_t step = 0;  ///< counted in the steps of the earliest ancestor
  /// Index of the recorded parent, else of the nearest run that may be an ancestor.
  std::optional<std::size_t> parent = {};
};

/// The length of the prompt of the run's earliest ancestor, in tokens. For a run that is
/// no branch, or not known to be one, it is the length of the run's own prompt.
std::size_t rootLength(const RunRequest& request);

/// The request with its prompt cut to `rootLength` tokens. The absorbed part is not cut;
/// it may name later positions.
RunRequest rootRequest(RunRequest request);

/// The header with `rootRequest` of its request.
std::shared_ptr<const RunHeader> rootHeader(std::shared_ptr<const RunHeader> header);

/// The place of each run. A branch begins one step after the step at which it left its
/// parent, even if `runs` lacks the parent and only the branch's record tells of it.
/// Other runs begin at 0.
std::vector<RunPlace> placesOf(const std::vector<PlacedRun>& runs);

}  // namespace equipatch
