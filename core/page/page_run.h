// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/figure/run_figures.h"
#include "core/record/file/run_file.h"
#include "core/record/file/run_labels.h"

namespace equipatch {

/// The most layers and channels that the Δm of several steps have; 0 without any Δm.
struct DeltaSize {
  int layers = 0, width = 0;

  void include(const StepRecord& step);
};

/// A run as a page shows it.
struct PageRun {
  /// If its name is empty, the page uses the run's label, or else the settings in which
  /// the run differs from the others.
  FigureRun run;
  RunEnding ending = RunEnding::Complete;
  bool isRecording = false;
  std::string damage = {};  ///< why steps of its file are missing; usually empty
  /// Why its file cannot be read at all; the labels are then missing. Usually empty.
  std::string unread = {};
  RunLabels labels = {};
  /// The size of those Δm that the run's steps in memory lack and only its file holds.
  /// All Δm together take gigabytes, so they are read while the page is written, one step
  /// at a time.
  DeltaSize stored = {};
};

/// The run in a file, with the labels that the user gave it, up to the first step that
/// cannot be read (`damage`).
/// @throws Error as RunFile's constructor; Error{Cancelled}
PageRun readPageRun(const std::filesystem::path& file, Progress& progress);

/// A run in memory. If it has a readable file, the file supplies the ending, the labels,
/// the damage and the Δm that the run's steps no longer hold. If the file cannot be read,
/// `unread` says why.
/// @param ending the run's ending if it has no readable file
/// @throws Error as RunFile::step when one of these Δm cannot be read; Error{Cancelled}
PageRun pageRunOf(FigureRun run, RunEnding ending, Progress& progress);

/// Sets where the runs begin on an axis of steps that they share, as `alignBranches` of
/// run_places.h does.
void alignBranches(std::vector<PageRun>& runs);

/// Whether a layer of the step has no Δm in memory.
bool lacksDelta(const StepRecord& step);

}  // namespace equipatch
