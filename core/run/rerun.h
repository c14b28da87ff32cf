// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/record/file/run_file.h"
#include "core/run/session.h"

namespace equipatch {

/// The request for a recorded run's model: the same folder, dtype, device and arithmetic.
/// Whether the run's weights were resident or mapped does not matter.
inline SessionRequest sessionRequestOf(const RunHeader& header) {
  return {.folder = header.modelFolder,
          .dtype = header.dtype,
          .device = header.device,
          .computeFloat32 = header.computesFloat32};
}

/// Checks that the folder where the run found its model is on this machine.
/// @throws Error{BadInput} if not; the sentence ends in `remedy`, "give its folder here"
void requireModelOf(const RunHeader& header, const std::string& remedy);

/// The difference between two unequal records of a step: "another token, …".
std::string differenceInWords(const StepRecord& then, const StepRecord& now);

/// Compares a run, step by step, with a recorded run, and forwards the new run to another
/// sink.
class RerunCheck final : public RunSink {
 public:
  RerunCheck(StoredRun recorded, std::shared_ptr<RunSink> next);

  void runStarted(std::shared_ptr<const RunHeader> header) override;
  void stepTaken(std::shared_ptr<const StepRecord> record) override;

  /// Says that the steps are the same to the last bit, which step is the first to differ
  /// and how, or why nothing was compared. Times are ignored. Without a full stop.
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
