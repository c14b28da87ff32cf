// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/base/progress.h"

namespace equipatch::test {

/// Of work that somebody asked to stop before it began.
class StoppedProgress final : public Progress {
 public:
  void report(double, std::string_view) override {}
  bool stopRequested() const override { return true; }
};

}  // namespace equipatch::test
