// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figure/figure_kind.h"
#include "tests/support/records.h"

namespace equipatch::test {

/// A figure of a synthetic run.
inline Figure someFigure(FigureKind kind, int steps = 12) {
  FigureRun run{"mine", withPicture(*makeHeader()), {}};
  for (int step = 0; step < steps; ++step)
    run.steps.push_back(makeRecord(step, {.mismatchEvery = 5}));
  return makeFigure(kind, {run}, {});
}

}  // namespace equipatch::test
