// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "tests/support/records.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/runs/run_list.h"

namespace equipatch::test {

/// A list of synthetic runs, added as the window adds its runs.
struct ListedRuns {
  QuietPlatform quiet;
  Theme theme;
  RunModel model;
  std::filesystem::path file;
  RunList list{model, theme, [this] { return file; }};

  void run(const std::string& name, int steps, Method method = Method::Balanced,
           int mismatchEvery = 0) {
    const RecordShape shape{.mismatchEvery = mismatchEvery};
    RunHeader header = *makeHeader(shape);
    header.request.patch.method = method;
    file = name;
    model.begin(std::make_shared<const RunHeader>(header));
    std::vector<RunModel::Record> records;
    for (int i = 0; i < steps; ++i) records.push_back(makeRecord(i, shape));
    model.append(records);
  }

  QString text(int row, int column) const {
    return list.data(list.index(row, column), Qt::DisplayRole).toString();
  }
};

}  // namespace equipatch::test
