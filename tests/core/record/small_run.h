// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>

#include "core/record/file/run_file.h"

namespace equipatch::test {

/// A run of two steps, with two layers of width 2. Values differ between steps and mostly
/// between layers, so that a misplaced one is noticed.
inline StoredRun smallRun() {
  auto header = std::make_shared<RunHeader>();
  header->modelName = "small, \"quoted\"";
  header->layers = header->width = 2;
  header->closesWithScale = true;
  header->patchedMatrices = {"gate", "down"};
  header->request.promptText = "Once";
  header->request.prompt = {{.id = TokenId(7)}, {.id = TokenId(9)}};
  StoredRun run{.header = header, .steps = {}, .damage = {}};
  for (std::int64_t index = 0; index < 2; ++index) {
    StepRecord step;
    const double base = 100.0 * double(index);
    step.step = StepIndex(index);
    step.position = Position(index + 1);
    step.token = TokenId(index + 40);
    step.tokenText = index == 0 ? "a,\"b\"\n" : "\xC3\xA9\xFF";
    step.match = index == 0;
    step.patchedToken = TokenId(index + 50);
    step.patchedText = "p";
    if (index == 1) step.sampledMatch = false;
    step.margin = 0.1 + base;
    step.patchedDistance = {1e-7, 2.0 + base, 3.0};
    if (index == 1) step.bareDistance = LogitDistance{4.0, 5.0, 6.0};
    step.contextual = {{TokenId(40), "x", 11.0 + base, 0.5},
                       {TokenId(41), "y", 10.0, 0.25}};
    step.patched = {{TokenId(42), "z", 12.0, 0.75}};
    for (std::size_t layer = 0; layer < 2; ++layer) {
      LayerRecord& record = step.layers.emplace_back();
      record.effect = base + double(layer) + 0.5;
      record.matrices = {{"gate", base + double(layer), 0.125}};
      record.scaleDelta = {float(base) + float(layer), 0.1f};
      record.experts = {3, 5};
    }
    if (index == 1) step.layers[1].matrices.push_back({"down", 77.0, 0.5});
    if (index == 1) step.layerNoise = {0.25, 0.75};
    step.milliseconds = std::numeric_limits<double>::quiet_NaN();
    run.steps.push_back(std::make_shared<const StepRecord>(step));
  }
  return run;
}

}  // namespace equipatch::test
