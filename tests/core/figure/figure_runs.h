// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/figure/run_figures.h"
#include "tests/support/records.h"

namespace equipatch::test {

/// A synthetic run of `steps` steps.
inline FigureRun figureRun(const std::string& name, int steps,
                           const RecordShape& shape = {}) {
  FigureRun run{name, makeHeader(shape), {}};
  for (int step = 0; step < steps; ++step) run.steps.push_back(makeRecord(step, shape));
  return run;
}

/// The same steps, with this dtype and patch in the run's header.
inline FigureRun computedBy(FigureRun run, DType dtype, const PatchOptions& patch) {
  auto header = std::make_shared<RunHeader>(*run.header);
  header->dtype = dtype;
  header->request.patch = patch;
  run.header = header;
  return run;
}

/// The same run with one of its records changed.
template <typename Change>
FigureRun changed(FigureRun run, std::size_t step, Change change) {
  auto record = std::make_shared<StepRecord>(*run.steps.at(step));
  change(*record);
  run.steps[step] = record;
  return run;
}

}  // namespace equipatch::test
