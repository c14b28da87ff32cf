#pragma once

#include <filesystem>
#include <memory>

#include "core/record/run_header_rows.h"
#include "core/record/run_record.h"

namespace equipatch {

/// Writes a run file (.eqrun), a transaction a step: killed at any instant, it holds all
/// steps that were added. It is one file; only while a step is being written a journal
/// stands beside it, from which whoever opens the file next undoes half a step. A power
/// cut may cost the steps since the last `finish`.
class RunWriter {
 public:
  /// Makes a new file. @throws Error{BadInput} when there is a file of that name;
  /// Error{Resource} when it cannot be written.
  RunWriter(const std::filesystem::path& path, const RunHeader& header);
  ~RunWriter();

  /// Steps come in order, from 0. @throws Error{Resource} when the disk refuses; the file
  /// then ends with the step before.
  void add(const StepRecord& record);
  /// Puts everything on the disk. Nothing may be added any more.
  void finish(RunEnding ending);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace equipatch
