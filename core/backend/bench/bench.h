#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/run/bench/bench_report.h"
#include "core/run/session.h"

namespace equipatch {

/// Measures on as many threads as the program uses; minutes for a large model.
/// @throws Error{Cancelled} when asked to stop; Error{Resource} when the disk refuses.
BenchReport bench(const std::shared_ptr<const Session>& session,
                  const BenchRequest& request, Progress& progress);

}  // namespace equipatch
