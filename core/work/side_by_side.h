// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>

#include "core/base/progress.h"

namespace equipatch {

/// Tasks of one job that do not depend on each other.
struct TaskGroup {
  std::size_t count = 0;
  int threads = 1;  ///< tasks that may run at the same time, at least 1
  std::stop_token stop;
};

/// Delivers a finished task's result; never empty.
using Delivery = std::function<void()>;

/// Computes one task; called on thread number `thread` in [0, threads). Must return soon
/// after its progress requests a stop. The returned delivery is called on the job's
/// thread.
using GroupedTask =
    std::function<Delivery(std::size_t task, int thread, Progress& progress)>;

/// Starts the tasks of a group in the order of their numbers on up to `threads` threads,
/// and returns when every started task has ended; at once for a group without tasks. The
/// calling thread alone reports `progress` (the mean over all tasks) and calls the
/// deliveries, in the order in which tasks end. A task that throws stops the others; the
/// first exception is rethrown, and results that were finished before are delivered. A
/// delivery that throws stops the tasks too, and no more results are delivered.
/// @param progress the job's; a stop request to it must also reach `group.stop`
/// @throws Error{Cancelled} after a stop request.
void runSideBySide(const TaskGroup& group, const GroupedTask& compute,
                   Progress& progress);

}  // namespace equipatch
