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

/// The largest size of several steps' Δm; 0 where no step has one.
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
  /// Why its file cannot be read at all, whose labels are then missing; usually empty.
  std::string unread = {};
  RunLabels labels = {};
  /// Of the Δm that the run's file has and its steps in memory lack. The page reads them
  /// step by step while it is written, because together they take gigabytes.
  DeltaSize stored = {};
};

/// The run in a file, with the labels that the user gave it, up to the first step that
/// cannot be read (`damage`).
/// @throws Error as RunFile's constructor; Error{Cancelled}
PageRun readPageRun(const std::filesystem::path& file, Progress& progress);

/// A run in memory. If it has a readable file, the file supplies the ending, the labels,
/// the damage and the vectors that the run's steps no longer hold. A file that cannot be
/// read leaves `unread`.
/// @param ending of a run without a readable file
/// @throws Error as RunFile::step when one of these vectors cannot be read;
/// Error{Cancelled}
PageRun pageRunOf(FigureRun run, RunEnding ending, Progress& progress);

/// Sets where the runs begin on an axis of steps that they share, as `alignBranches` of
/// run_places.h does.
void alignBranches(std::vector<PageRun>& runs);

/// Whether a layer of the step has no Δm in memory.
bool lacksDelta(const StepRecord& step);

}  // namespace equipatch
