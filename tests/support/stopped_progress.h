// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"

namespace equipatch::test {

/// Progress of work that was stopped before it began.
class StoppedProgress final : public Progress {
 public:
  void report(double, std::string_view) override {}
  bool stopRequested() const override { return true; }
};

/// Counts how often work checks for a stop, and stops it after `patience` checks.
class Patience final : public Progress {
 public:
  explicit Patience(int patience = std::numeric_limits<int>::max())
      : m_patience(patience) {}

  void report(double fraction, std::string_view label) override {
    fractions.push_back(fraction);
    labels.emplace_back(label);
  }
  bool stopRequested() const override { return ++asked > m_patience; }

  std::vector<double> fractions;
  std::vector<std::string> labels;
  mutable int asked = 0;

 private:
  int m_patience;
};

}  // namespace equipatch::test
