// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/window/main_window.h"

namespace equipatch::test {

/// A window with fresh settings on the synthetic engine. A model and a number of steps
/// are set; the prompt is the first sample.
struct TinyWindow {
  explicit TinyWindow(int steps) {
    window.setFolder(QStringLiteral("/models/tiny"));
    window.setSteps(steps);
  }
  void run() {
    window.run();
    QTRY_COMPARE(window.controller().phase(), RunController::Phase::Idle);
  }

  ScratchSettings settings;
  QuietPlatform quiet;
  SyntheticEngine engine;
  MainWindow window{engine};
};

}  // namespace equipatch::test
