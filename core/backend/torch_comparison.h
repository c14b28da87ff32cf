// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/record/run_request.h"
#include "core/run/comparison.h"
#include "core/run/session.h"

namespace equipatch {

/// Implements Comparison for a TorchSession.
class TorchComparison final : public Comparison {
 public:
  /// See Backend::makeComparison.
  TorchComparison(std::shared_ptr<const Session> session, RunRequest request);
  ~TorchComparison() override;

  const RunHeader& header() const override;
  void prefill(Progress& progress) override;
  bool done() const override;
  std::shared_ptr<const StepRecord> step() override;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace equipatch
