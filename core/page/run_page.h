// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/page/page_run.h"

namespace equipatch {

/// Writes one HTML document that shows the runs and loads no other file (docs/page.md).
/// The page opens with the first run. The document is never in memory as a whole.
/// @throws Error{BadInput} without runs, or if a run has no steps; Error{Cancelled};
/// Error as OutputFile, and as RunFile if only the run's file holds a Δm
void exportPage(const std::vector<PageRun>& runs, const std::filesystem::path& path,
                Progress& progress);

/// The same document as a text, for short runs. @throws Error{BadInput} as exportPage;
/// Error as RunFile if only the run's file holds a Δm
std::string runPage(const std::vector<PageRun>& runs);

/// Marks a page that this program wrote (OwnFile).
inline constexpr std::string_view kPageMarker = "<!-- A run of Equipatch -->";

}  // namespace equipatch
