// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/work/job.h"

namespace equipatch::test {

/// Ignores every event of a worker. Derived classes keep those that a test looks at.
class IgnoringListener : public WorkerListener {
 public:
  void jobStarted(Generation, const std::string&) override {}
  void jobProgressed(Generation, double, const std::string&) override {}
  void jobPaused(Generation) override {}
  void jobResumed(Generation) override {}
  void jobFinished(Generation) override {}
  void jobCancelled(Generation) override {}
  void jobFailed(Generation, const Error&) override {}
};

/// Keeps the numbers that a progress bar would show.
class FractionListener final : public IgnoringListener {
 public:
  void jobProgressed(Generation, double fraction, const std::string&) override {
    fractions.push_back(fraction);
  }

  std::vector<double> fractions;
};

/// Keeps the name of the job that was started last and how it ended: "Run tiny,
/// finished".
struct JobLog final : IgnoringListener {
  void jobStarted(Generation, const std::string& name) override { log = name; }
  void jobProgressed(Generation, double fraction, const std::string&) override {
    lastFraction = fraction;
  }
  void jobFinished(Generation) override { log += ", finished"; }
  void jobCancelled(Generation) override { log += ", cancelled"; }
  void jobFailed(Generation, const Error& error) override {
    log += std::string(", failed: ") + error.what();
  }

  std::string log;
  double lastFraction = 0.0;
};

}  // namespace equipatch::test
