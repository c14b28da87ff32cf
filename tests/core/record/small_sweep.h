// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/sweep/sweep_plan.h"
#include "tests/core/record/small_run.h"

namespace equipatch::test {

/// A sweep of six cells: two prompts at three points.
inline SweepPlan smallSweep() {
  SweepPlan plan{
      .modelName = "small",
      .origin = {},
      .steps = 2,
      .prompts = {{"one", "Once", false}, {"two", "Twice \xC3\xA9", false}},
      .points = parseGrids({"dtype=float32,loop=open,closed", "dtype=bfloat16,loop=open"},
                           DType::F32)};
  plan.origin = {.program = "0.1",
                 .torch = "1.13",
                 .processor = "a processor",
                 .threads = 2,
                 .startTime = "2026-11-21T08:30:00Z",
                 .configSha256 = "c0ffee",
                 .tensorFiles = {{"model.safetensors", "beef"}}};
  return plan;
}

/// The small run as this cell of the sweep would have recorded it.
inline StoredRun runOf(const SweepPlan& plan, const SweepCell& cell) {
  StoredRun run = smallRun();
  RunHeader header = *run.header;
  header.dtype = cell.point.dtype;
  header.device = plan.device;
  header.provenance = plan.origin;
  header.request.promptText = cell.prompt.text;
  header.request.patch = cell.point.patch;
  header.request.strength = {.alpha = cell.point.strength, .layers = {}};
  header.request.sampling = cell.prompt.sampling;
  header.request.steps = plan.steps;
  run.header = std::make_shared<const RunHeader>(header);
  run.ending = RunEnding::Complete;
  return run;
}

}  // namespace equipatch::test
