#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/lab/notebook.h"
#include "core/lab/settings.h"
#include "core/work/job.h"

namespace equipatch {

struct LabRequest {
  std::string experiment;
  LabSettings settings;
  std::uint64_t seed = 0;
  int threads = 1;  ///< these models are too small for more to help
};

/// Runs one experiment; can be paused and stopped between training steps.
/// @throws Error{BadInput} when there is no such experiment.
std::unique_ptr<Job> makeLabJob(LabRequest request, std::shared_ptr<LabSink> sink);

}  // namespace equipatch
