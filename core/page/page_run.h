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

/// The largest numbers of layers and of channels among the Δm of several steps; 0
/// without any Δm.
struct DeltaSize {
  int layers = 0, width = 0;

  void include(const StepRecord& step);
};

/// A run as a page shows it.
struct PageRun {
  /// If `run.name` is empty, the page shows the name in `labels` or, without one, the
  /// settings in which the run differs from the page's other runs.
  FigureRun run;
  RunEnding ending = RunEnding::Complete;
  bool isRecording = false;
  std::string damage = {};  ///< why steps of the run's file are missing, else empty
  /// Why nothing of the run's file can be read, else empty. If set, `labels` is empty.
  std::string unread = {};
  RunLabels labels = {};
  /// The size of the Δm that `run.steps` lack and only the run's file holds. They stay
  /// there until they are written, because together they can take gigabytes.
  DeltaSize stored = {};
};

/// A file's run with its labels, up to the first step that cannot be read; `damage` then
/// says why.
/// @throws Error as RunFile's constructor; Error{Cancelled}
PageRun readPageRun(const std::filesystem::path& file, Progress& progress);

/// A run in memory. If the run has a readable file, `ending`, `labels`, `damage` and
/// `stored` come from this file.
/// @param ending used if the run has no readable file
/// @throws Error as RunFile::step when a Δm cannot be read; Error{Cancelled}
PageRun pageRunOf(FigureRun run, RunEnding ending, Progress& progress);

/// Sets each `run.begins`, as `alignBranches` of run_places.h does.
void alignBranches(std::vector<PageRun>& runs);

/// True if any layer of the step has no Δm in memory.
bool lacksDelta(const StepRecord& step);

}  // namespace equipatch
