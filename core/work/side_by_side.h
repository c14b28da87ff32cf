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

/// Delivers the result of a finished task; must not be empty.
using Delivery = std::function<void()>;

/// Computes one task on thread number `thread` in [0, threads). Must return soon after
/// `progress` requests a stop.
using GroupedTask =
    std::function<Delivery(std::size_t task, int thread, Progress& progress)>;

/// Starts tasks in the order of their numbers and returns when every started task has
/// ended. The calling thread reports the mean progress and calls the deliveries in the
/// order in which tasks end. The first exception of a task or a delivery stops all tasks
/// and is rethrown. After a task's exception, results of finished tasks are still
/// delivered; after a delivery's exception, no more results are delivered.
/// @param progress a stop request to it must also reach `group.stop`
/// @throws Error{Cancelled} after a stop request.
void runSideBySide(const TaskGroup& group, const GroupedTask& compute,
                   Progress& progress);

}  // namespace equipatch
