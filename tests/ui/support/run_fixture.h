// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "tests/support/records.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/chart/theme.h"
#include "ui/run/run_model.h"

namespace equipatch::test {

/// The objects that views of a run need, used as the window uses them. Make views before
/// calling `begin`.
struct RunFixture {
  QuietPlatform quiet;
  Theme theme;
  RunModel model;
  Selection selection;

  void begin(const RecordShape& shape) {
    model.begin(makeHeader(shape));
    selection.reset();
    selection.setLayerCount(shape.layers);
  }

  void append(int count, const RecordShape& shape) {
    std::vector<RunModel::Record> records;
    for (int i = 0; i < count; ++i)
      records.push_back(makeRecord(model.stepCount() + i, shape));
    model.append(records);
    selection.setStepCount(model.stepCount());
  }
};

}  // namespace equipatch::test
