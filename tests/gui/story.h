// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <QTextEdit>

#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/chart/heatmap_chart.h"
#include "ui/chart/layer_charts.h"
#include "ui/window/main_window.h"

namespace equipatch::test {

/// A window with fresh settings on the synthetic engine, and functions to use it.
struct Story {
  QuietPlatform quiet;
  ScratchSettings settings;
  SyntheticEngine engine;
  MainWindow window{engine};

  static constexpr int kEndless = 100000;  // more steps than any story waits for

  explicit Story(int steps = 20) {
    window.setFolder(QStringLiteral("/models/synthetic"));
    window.setSteps(steps);
    window.show();
    // Shortcuts go to the active window only.
    static_cast<void>(QTest::qWaitForWindowActive(&window));
  }

  template <typename Widget>
  Widget* find(const char* name) const {
    return window.findChild<Widget*>(QString::fromLatin1(name));
  }

  int steps() const { return window.model().stepCount(); }
  RunController::Phase phase() const { return window.controller().phase(); }
  TokenStrip* strip() const { return find<TokenStrip>("tokenStrip"); }
};

using Phase = RunController::Phase;

}  // namespace equipatch::test
