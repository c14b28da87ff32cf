// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/record/file/run_file.h"
#include "core/run/session.h"

namespace equipatch {

/// The request for a recorded run's model. Leaves `place` open: whether the weights are
/// resident or mapped does not change the results.
inline SessionRequest sessionRequestOf(const RunHeader& header) {
  return {.folder = header.modelFolder,
          .dtype = header.dtype,
          .device = header.device,
          .computeFloat32 = header.computesFloat32};
}

/// @throws Error{BadInput} if the run's model folder is not on this machine
/// @param remedy the end of the error's sentence, such as "give its folder here"
void requireModelOf(const RunHeader& header, const std::string& remedy);

/// The difference between two unequal records of a step: "another token, …".
std::string differenceInWords(const StepRecord& then, const StepRecord& now);

/// Compares a new run, step by step, with a recorded run, and forwards the new run to
/// `next`.
class RerunCheck final : public RunSink {
 public:
  RerunCheck(StoredRun recorded, std::shared_ptr<RunSink> next);

  void runStarted(std::shared_ptr<const RunHeader> header) override;
  void stepTaken(std::shared_ptr<const StepRecord> record) override;

  /// Whether the steps are the same to the last bit, as a clause without a full stop. The
  /// time that a step took does not count.
  std::string verdict() const;
  /// True if no step that both runs have differs; also before the first step.
  bool same() const { return m_difference.empty(); }

 private:
  StoredRun m_recorded;
  std::shared_ptr<RunSink> m_next;
  std::size_t m_steps = 0;
  std::size_t m_equalSteps = 0;  // before the first difference
  std::string m_difference;
};

}  // namespace equipatch
