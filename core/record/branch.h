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
/// says that its prompt was typed is no branch, and no run is a branch of one whose
/// prompt is shorter than that of its recorded earliest ancestor.
/// @returns the step of the other run that corresponds to the branch's step 0: the number
/// of tokens by which the branch's prompt is longer. Empty if the run is not such a
/// branch.
std::optional<std::int64_t> branchPoint(const RunHeader& branch, const RunHeader& other,
                                        const Steps& steps);

/// A run whose place among others is asked for. Header and steps outlive the call.
struct PlacedRun {
  const RunHeader* header;
  const Steps* steps;
  std::string file = {};  ///< the name of its file, without its folder; empty: no file
};

/// True if the branch records this run's file as the file of the run that it left.
/// Another run may have generated the same tokens.
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

/// The length of the prompt of the run's earliest ancestor, in tokens; that of its own
/// prompt for a run that is no branch, or not known to be one.
std::size_t rootLength(const RunRequest& request);

/// The request with only the tokens of that prompt. The absorbed part stays, even where
/// it names later positions.
RunRequest rootRequest(RunRequest request);

/// The header with that request.
std::shared_ptr<const RunHeader> rootHeader(std::shared_ptr<const RunHeader> header);

/// The places of these runs: a branch begins one step after that at which it left its
/// parent, even where only its file tells of the parent; other runs begin at 0.
std::vector<RunPlace> placesOf(const std::vector<PlacedRun>& runs);

}  // namespace equipatch
