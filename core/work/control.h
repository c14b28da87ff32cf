#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/progress.h"
#include "core/work/gate.h"
#include "core/work/job.h"

namespace equipatch {

/// What a running job may do with its surroundings: wait at the gate, ask whether to
/// stop, tell how far it is. Used on the worker's thread only.
class Control final : public Progress {
 public:
  Control(Generation generation, std::stop_token stop, Gate& gate,
          WorkerListener& listener);

  /// Waits while the gate is shut; each step of a run passes once.
  /// @returns false when the job must leave.
  bool pass();

  /// Pauses the job for a reason that only the user can mend, and waits until it is
  /// told to go on. @throws Error{Cancelled} when it must leave.
  void hold(const Error& reason);

  bool stopRequested() const override;
  /// For work that waits elsewhere and has to be woken: another program.
  std::stop_token stopToken() const { return m_stop; }

  /// Forwards at most one report per thousandth of the whole (and every new label), so
  /// that listeners are never flooded.
  void report(double fraction, std::string_view label) override;

  Generation generation() const { return m_generation; }

 private:
  Generation m_generation;
  std::stop_token m_stop;
  Gate& m_gate;
  WorkerListener& m_listener;
  double m_lastFraction = -1.0;
  std::string m_lastLabel;
};

}  // namespace equipatch
