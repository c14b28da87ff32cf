// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/run/bench/bench_report.h"
#include "core/run/session.h"

namespace equipatch {

/// See Backend::bench.
BenchReport bench(const std::shared_ptr<const Session>& session,
                  const BenchRequest& request, Progress& progress);

}  // namespace equipatch
