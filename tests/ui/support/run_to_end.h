// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include "ui/window/main_window.h"

namespace equipatch::test {

inline constexpr int kPatience = 120000;  // milliseconds: a slow machine is no failure

/// Runs the window's prompt as a user does, and waits for the end of the run.
inline void runToEnd(MainWindow& window) {
  const auto before = window.model().sharedHeader();  // held: no new one has its address
  window.command("run")->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(window.model().sharedHeader() != before &&
                               !window.model().empty() &&
                               window.controller().phase() == RunController::Phase::Idle,
                           kPatience);
}

}  // namespace equipatch::test
