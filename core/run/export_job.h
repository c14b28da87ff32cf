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
/// Whether the model must be loaded. A checkpoint contains the model's weights. An
/// adapter contains the patch, which must be computed again if the file does not hold it.
bool needsModel(RunForm form, const RunHeader& header);
/// How to recognise a file that an earlier export wrote as Json, Npz or Latex.
OwnFile ownFileOf(RunForm form);

/// The approximate size on disk of the patched checkpoint, with its weights in `dtype`.
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
  StepIndex step{0};             ///< for Adapter and Checkpoint
  /// For Csv and Latex: the runs to write instead of `file`; empty: `file` alone.
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
/// not hold is computed again from the recorded tokens. A written checkpoint is loaded
/// and checked. The job writes nothing and fails if the disk has too little room for a
/// checkpoint, if a checkpoint's folder is not empty, or if a target of another form
/// holds something other than an earlier export.
/// @param session opened as `sessionRequestOf` says; null unless `needsModel`. The job
/// fails if the session's weights are not the run's.
std::unique_ptr<Job> makeExportJob(std::shared_ptr<const Session> session,
                                   ExportRequest request,
                                   std::shared_ptr<ExportSink> sink);

/// A token that a saved checkpoint was patched for, and the contextual pass's predictions
/// after this token.
struct ExpectedToken {
  TokenId x;
  Choices contextual;  ///< best first
};

/// How a saved checkpoint's predictions, from the expected tokens without their context,
/// differ from the contextual pass's.
struct SavedCheck {
  /// Number of tokens after which the checkpoint predicts the contextual pass's most
  /// likely token, or one of several that tie.
  std::size_t matches = 0;
  double largest = 0.0;  ///< largest difference of the logits in `contextual`, in float32
};

/// "Loaded again and given token 569 alone, it predicts the contextual pass's token; …"
std::string sentenceOf(const SavedCheck& check,
                       const std::vector<ExpectedToken>& expected);

/// Loads a checkpoint that `Backend::savePatched` wrote, with the settings of `like`, and
/// runs the expected tokens without their context.
/// @throws Error{BadInput} when a token is outside the vocabulary of `like` or has no
/// predictions; Error as `Session::open`.
SavedCheck checkSaved(const Session& like, const std::filesystem::path& folder,
                      const std::vector<ExpectedToken>& expected, Progress& progress);

}  // namespace equipatch
