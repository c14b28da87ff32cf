// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/figure/run_figures.h"
#include "core/record/file/run_file.h"
#include "core/record/file/run_labels.h"

namespace equipatch {

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
};

/// The run that was read from `file`, with the labels that the user gave it.
PageRun pageRunOf(StoredRun stored, const std::filesystem::path& file);

/// Sets where the runs begin on an axis of steps that they share, as `alignBranches` of
/// run_places.h does.
void alignBranches(std::vector<PageRun>& runs);

/// A run in memory. If it has a readable file, the file supplies the ending, the labels,
/// the damage and the vectors that the run's steps no longer hold. A file that cannot be
/// read leaves `unread`.
/// @param ending of a run without a readable file
/// @throws Error as RunFile::step when one of these vectors cannot be read
PageRun pageRunOf(FigureRun run, RunEnding ending);

/// One HTML document that shows runs in any browser and loads nothing: prompt, tokens,
/// charts, each step's numbers, provenance (docs/page.md). The first run is on display.
/// @throws Error{BadInput} when there is no run, or one without steps.
std::string runPage(const std::vector<PageRun>& runs);

/// Writes the document. @throws Error as above, and as OutputFile
void exportPage(const std::vector<PageRun>& runs, const std::filesystem::path& path);

/// Marks a page that this program wrote (OwnFile).
inline constexpr std::string_view kPageMarker = "<!-- A run of Equipatch -->";

}  // namespace equipatch
