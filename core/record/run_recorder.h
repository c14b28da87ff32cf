#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "core/record/run_writer.h"

namespace equipatch {

/// What to do where the run file's name is taken.
enum class ExistingFile {
  Refuse,
  Replace,  ///< if it is a run file; anything else is refused all the same
};

/// Writes a run into a file as it happens, and only then tells the next sink: what that
/// one has heard of is recorded.
class RunRecorder final : public RunSink {
 public:
  /// Looks at `path` at once, so that a wrong name is told before a model is loaded.
  /// @throws Error{BadInput} when the name is taken.
  RunRecorder(std::filesystem::path path, ExistingFile existing,
              std::shared_ptr<RunSink> next);

  /// @throws Error{Resource} when the file cannot be written.
  void runStarted(std::shared_ptr<const RunHeader> header) override;
  void stepTaken(std::shared_ptr<const StepRecord> record) override;

  /// The run is over. Does nothing where it never started, or where a step could not be
  /// written: the file then ends as a killed program's.
  void finish(RunEnding ending);

 private:
  std::filesystem::path m_path;
  ExistingFile m_existing;
  std::shared_ptr<RunSink> m_next;
  std::optional<RunWriter> m_writer;
  bool m_writing = false;  // still true: it failed
};

}  // namespace equipatch
