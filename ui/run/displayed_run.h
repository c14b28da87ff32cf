// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/record/run_record.h"

namespace equipatch {

/// A run as the window shows it.
struct DisplayedRun {
  std::shared_ptr<const RunHeader> header;  ///< null: no run is on display
  std::vector<std::shared_ptr<const StepRecord>> steps;
  std::filesystem::path file;  ///< empty: the run is not recorded
  RunEnding ending = RunEnding::Stopped;
  bool isOpened = false;  ///< it was read from its file
};

}  // namespace equipatch
