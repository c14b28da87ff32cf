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
  Report,  ///< only throws; for the file that a rescue writes
};

/// Writes a run file (.eqrun) with one transaction per step: if the program is killed,
/// the file has all steps that were added. While a step is being written, SQLite keeps a
/// journal beside the file. The next program that opens the file undoes a half-written
/// step with this journal. A power cut before `finish` may damage the file, including the
/// steps that it had before the run was continued.
class RunWriter {
 public:
  /// Creates the file. @throws Error as `SqlDatabase::create`
  /// @param labels of the run whose steps this file takes over, if any
  RunWriter(const std::filesystem::path& path, const RunHeader& header,
            LostFile lost = LostFile::Rescue, const RunLabels& labels = {});
  /// Opens the file of a run that ended early, to add the steps that are missing. The
  /// file stays as it is until the first of them is added. That step also adds this
  /// continuation and removes the ending, which `finish` writes anew.
  /// @throws Error as `SqlDatabase::openToRecord`; Error{BadInput} when the file is
  /// damaged or another version of the program wrote it, so that nothing can be added;
  /// Error{Unsupported} when a newer version wrote it.
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
  /// Writes the ending, syncs the file to the disk and checks it
  /// (SqlDatabase::isDamaged); `add` must not be called afterwards. If the run was to be
  /// continued but no step was added, Stopped leaves the file as it was.
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
  Continue,  ///< adds the steps that the file lacks; runStarted gets the file's header
             ///< with one more continuation
};

/// Records a run while it is computed. Each result is stored before it is passed to the
/// next sink, so that everything the next sink receives is on record.
class RunRecorder final : public RunSink {
 public:
  /// Checks `path` at once, so that a bad name or folder is reported before a model is
  /// loaded; with Continue, runStarted checks it. A file that is created gets the labels.
  /// @throws Error{BadInput} when the name is empty, when `existing` does not allow to
  /// replace the file of that name, or when a program is recording into that file; Error
  /// as requireFolderFor.
  RunRecorder(std::filesystem::path path, ExistingFile existing,
              std::shared_ptr<RunSink> next, RunLabels labels = {});

  /// @throws Error as this constructor and RunWriter's constructor; with Continue as
  /// RunWriter::toContinue.
  void runStarted(std::shared_ptr<const RunHeader> header) override;
  /// Writes the step, unless the continued file has it already, and passes it on. After
  /// an error, the same step may be given again. @throws Error as RunWriter::add.
  void stepTaken(std::shared_ptr<const StepRecord> record) override;

  /// Ends the run's file. Does nothing if the run never started or a step could not be
  /// written: the run then counts as interrupted. After Error{Resource}, `finish` may be
  /// called again.
  /// @param ending as for RunWriter::finish
  /// @throws as RunWriter::finish
  void finish(RunEnding ending);

 private:
  std::filesystem::path m_path;
  ExistingFile m_existing;
  std::shared_ptr<RunSink> m_next;
  RunLabels m_labels;
  std::optional<RunWriter> m_writer;
  bool m_writing = false;  // stays true when writing failed
};

}  // namespace equipatch
