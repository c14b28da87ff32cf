// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "core/record/file/run_labels.h"
#include "core/record/file/run_rows.h"
#include "core/record/run_record.h"

namespace equipatch {

/// What to do when another program removes, replaces or damages the file.
enum class LostFile {
  Rescue,  ///< saves the steps in another file (run_rescue.h)
  Report,  ///< only throws
};

/// Writes a run file (.eqrun) with one transaction per step: if the program is killed,
/// the file keeps all steps that were added. With SQLite's journal beside the file, the
/// next program that opens the file undoes a half-written step. A power cut before
/// `finish` may damage any step, even one from before a continuation.
class RunWriter {
 public:
  /// Creates the file. @throws Error as `SqlDatabase::create`
  RunWriter(const std::filesystem::path& path, const RunHeader& header,
            LostFile lost = LostFile::Rescue, const RunLabels& labels = {});
  /// Opens the file of a run that ended early, to add the missing steps. The first `add`
  /// also stores the continuation and removes the recorded ending.
  /// @throws Error as `SqlDatabase::openToRecord`; Error{BadInput} also when the file's
  /// tables differ from those that this version writes; Error{Unsupported} when a newer
  /// version wrote the file.
  static RunWriter toContinue(const std::filesystem::path& path,
                              const Continuation& continuation);
  RunWriter(RunWriter&&) noexcept;
  RunWriter& operator=(RunWriter&&) = delete;
  ~RunWriter();

  /// The number of steps in the file.
  std::int64_t steps() const;
  /// Adds the step with the index `steps()`. @throws Error{Resource} when writing fails;
  /// the file then ends with the previous step. @throws Error{BadInput} when another
  /// program removed, replaced, truncated or damaged the file; with LostFile::Rescue the
  /// error says how many steps were saved, and where.
  void add(const StepRecord& record);
  /// Writes the ending, syncs the file to the disk and checks it for damage; `add` must
  /// not be called afterwards. After `toContinue` without an added step, Stopped leaves
  /// the file unchanged.
  /// @param ending Complete or Stopped
  /// @throws as `add`
  void finish(RunEnding ending);

 private:
  struct State;
  explicit RunWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

/// What to do when the file exists.
enum class ExistingFile {
  Refuse,
  Replace,   ///< only a run file; any other file is refused
  Continue,  ///< adds the missing steps; give runStarted the file's header with one more
             ///< continuation
};

/// Records a run while it is computed. Stores each result before the next sink gets it.
class RunRecorder final : public RunSink {
 public:
  /// Checks `path`, so that a bad name or folder is reported before a model is loaded;
  /// with Continue, only runStarted checks it. Continue ignores the labels.
  /// @throws Error{BadInput} when the name is empty, when `existing` forbids to replace
  /// the file, or when a program is recording into it; Error as requireFolderFor.
  RunRecorder(std::filesystem::path path, ExistingFile existing,
              std::shared_ptr<RunSink> next, RunLabels labels = {});

  /// @throws Error as this constructor and RunWriter's; with Continue as
  /// RunWriter::toContinue.
  void runStarted(std::shared_ptr<const RunHeader> header) override;
  /// Does not write steps that a continued file has already. After an error, the same
  /// step may be given again. @throws Error as RunWriter::add.
  void stepTaken(std::shared_ptr<const StepRecord> record) override;

  /// Calls RunWriter::finish. Does nothing if the run never started or the last step
  /// could not be written: the run then counts as interrupted. After Error{Resource},
  /// `finish` may be called again.
  /// @throws as RunWriter::finish
  void finish(RunEnding ending);

 private:
  std::filesystem::path m_path;
  ExistingFile m_existing;
  std::shared_ptr<RunSink> m_next;
  RunLabels m_labels;
  std::optional<RunWriter> m_writer;
  bool m_writing = false;  // stays true after a step could not be written
};

}  // namespace equipatch
