// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/record/export/output_file.h"
#include "core/record/run_record.h"
#include "core/run/session.h"
#include "core/work/job.h"

namespace equipatch {

/// The forms in which a recorded run, or one of its steps, can be written.
enum class RunForm {
  Csv,         ///< tables in a folder
  Json,        ///< one document
  Npz,         ///< NumPy arrays
  Adapter,     ///< a step's patch for Hugging Face PEFT, in a folder
  Checkpoint,  ///< a whole checkpoint with a step's patch in its weights, in a folder
  Latex,       ///< a table with a row for each run
};

constexpr bool isFolder(RunForm form) {
  return form != RunForm::Json && form != RunForm::Npz && form != RunForm::Latex;
}
/// Whether several runs can be written together.
constexpr bool takesRuns(RunForm form) {
  return form == RunForm::Csv || form == RunForm::Latex;
}
constexpr bool isOfOneStep(RunForm form) {
  return form == RunForm::Adapter || form == RunForm::Checkpoint;
}
/// Whether the model must be loaded: a checkpoint needs its weights, and an adapter the
/// whole patch, which is computed again where the file does not hold it.
bool needsModel(RunForm form, const RunHeader& header);
/// How to recognise an earlier export in a file: Json, Npz or Latex.
OwnFile ownFileOf(RunForm form);

/// The approximate size of the checkpoint on the disk.
std::uintmax_t patchedCheckpointBytes(const Checkpoint& original, DType dtype);
/// Free bytes on the disk of the path, which need not exist yet; nullopt where unknown.
std::optional<std::uintmax_t> freeBytesAt(const std::filesystem::path& path);
/// Checks before a computation whether its patch can be written as a checkpoint.
/// @throws Error{Unsupported} when the model's matrices are in MXFP4; Error{Resource}
/// when the folder's disk has too little room.
void requireStorable(const Checkpoint& original, DType dtype,
                     const std::filesystem::path& folder);
/// @throws Error{BadInput} when a checkpoint cannot hold the patches of this run.
void requireStorablePatch(const RunRequest& request);

/// A recorded run, and its name in tables of several runs.
struct NamedRunFile {
  std::string name;
  std::filesystem::path file;
};

struct ExportRequest {
  std::filesystem::path file;  ///< the recorded run
  RunForm form = RunForm::Csv;
  std::filesystem::path target;  ///< a file, or a folder
  StepIndex step{0};             ///< of Adapter and Checkpoint
  /// Of Csv and Latex: the runs, in place of `file`; empty: `file` alone.
  std::vector<NamedRunFile> runs = {};
};

/// Receives the result on the worker's thread; may only store or forward it.
class ExportSink {
 public:
  virtual ~ExportSink() = default;
  /// @param sentence names what was written and gives the result of checking it
  virtual void exported(const std::string& sentence) = 0;
};

/// Exports a recorded run, or a step of it, in another form. A patch that the file does
/// not hold is computed again from the recorded tokens. A checkpoint is loaded again and
/// checked. The job fails before it writes where the disk has less room than a checkpoint
/// needs, the folder of a checkpoint is not empty, or another target holds something
/// other than an earlier export.
/// @param session opened as `sessionRequestOf` says; null unless `needsModel`. With other
/// weights than the run's the job fails.
std::unique_ptr<Job> makeExportJob(std::shared_ptr<const Session> session,
                                   ExportRequest request,
                                   std::shared_ptr<ExportSink> sink);

/// A token of a saved checkpoint, and the contextual pass's predictions after it.
struct ExpectedToken {
  TokenId x;
  Choices contextual;  ///< best first
};

/// A saved checkpoint's predictions from its tokens alone, compared with those expected.
struct SavedCheck {
  /// Number of tokens after which it predicts one of the most likely tokens.
  std::size_t matches = 0;
  double largest = 0.0;  ///< the largest difference of the listed logits in float32
};

/// "Loaded again and given token 569 alone, it predicts the contextual pass's token; …"
std::string sentenceOf(const SavedCheck& check,
                       const std::vector<ExpectedToken>& expected);

/// Loads a checkpoint that `Backend::savePatched` wrote, as `like` was, and runs the
/// tokens without their context.
/// @throws Error{BadInput} when a token is outside the vocabulary of `like` or has no
/// predictions; Error as `Session::open`.
SavedCheck checkSaved(const Session& like, const std::filesystem::path& folder,
                      const std::vector<ExpectedToken>& expected, Progress& progress);

}  // namespace equipatch
