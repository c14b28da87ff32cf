// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/figure/run_figures.h"
#include "core/record/run_record.h"
#include "core/work/job.h"

namespace equipatch {

/// A run in memory, for a page.
struct PageSource {
  FigureRun run;
  RunEnding ending = RunEnding::Complete;  ///< of a run without a readable file
  bool isRecording = false;
};

/// Writes the runs as a page, see `pageRunOf` and `exportPage`. A file at `target` is
/// replaced only by the complete page: after a stop or a failure, it is unchanged.
std::unique_ptr<Job> makePageJob(std::vector<PageSource> runs,
                                 std::filesystem::path target);

}  // namespace equipatch
