// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/backend/torch_backend.h"

namespace equipatch::test {

/// All steps of a run. Throws if there is none: a loop over no steps checks nothing.
inline Steps stepsOf(TorchComparison& comparison) {
  SilentProgress silent;
  comparison.prefill(silent);
  Steps steps;
  while (!comparison.done()) steps.push_back(comparison.step());
  if (steps.empty()) throw std::logic_error("a run of a test has no step");
  return steps;
}

inline Steps stepsOf(std::shared_ptr<const Session> session, RunRequest request) {
  TorchComparison comparison(std::move(session), std::move(request));
  return stepsOf(comparison);
}

}  // namespace equipatch::test
