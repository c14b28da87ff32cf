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

/// What a recorded run, or a step of it, can be exported as.
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
/// Whether an export can contain several runs.
constexpr bool takesRuns(RunForm form) {
  return form == RunForm::Csv || form == RunForm::Latex;
}
constexpr bool isOfOneStep(RunForm form) {
  return form == RunForm::Adapter || form == RunForm::Checkpoint;
}
/// Whether the model must be loaded: for a checkpoint because of its weights, for an
/// adapter only if the run file does not hold the patch.
bool needsModel(RunForm form, const RunHeader& header);
/// How to recognise a file of an earlier export. @param form Json, Npz or Latex
OwnFile ownFileOf(RunForm form);

/// The approximate size of a patched checkpoint whose weights are in `dtype`.
std::uintmax_t patchedCheckpointBytes(const Checkpoint& original, DType dtype);
/// Free bytes on the disk of `path`, which need not exist yet; nullopt if unknown.
std::optional<std::uintmax_t> freeBytesAt(const std::filesystem::path& path);
/// @throws Error{Unsupported} when matrices are in MXFP4, which cannot hold a patch;
/// Error{Resource} when the folder's disk has too little room for the checkpoint.
void requireStorable(const Checkpoint& original, DType dtype,
                     const std::filesystem::path& folder);
/// @throws Error{BadInput} when no checkpoint can hold a patch of this run.
void requireStorablePatch(const RunRequest& request);

struct NamedRunFile {
  std::string name;  ///< in tables of several runs
  std::filesystem::path file;
};

struct ExportRequest {
  std::filesystem::path file;  ///< the recorded run
  RunForm form = RunForm::Csv;
  std::filesystem::path target;  ///< a file, or a folder
  StepIndex step{0};             ///< for Adapter and Checkpoint
  /// For Csv and Latex: replaces `file` unless empty.
  std::vector<NamedRunFile> runs = {};
};

/// Receives the result on the worker's thread; may only store or forward it.
class ExportSink {
 public:
  virtual ~ExportSink() = default;
  /// @param sentence what was written, and the results of checks
  virtual void exported(const std::string& sentence) = 0;
};

/// The job computes a patch again if the run file does not hold it, and loads a written
/// checkpoint to check it. The job writes nothing and fails if the disk has too little
/// room for a checkpoint, if a checkpoint's folder is not empty, or if the target of
/// another form holds anything but an earlier export.
/// @param session opened as `sessionRequestOf` says; may be null unless `needsModel`. If
/// its weights are not the run's, the job fails.
std::unique_ptr<Job> makeExportJob(std::shared_ptr<const Session> session,
                                   ExportRequest request,
                                   std::shared_ptr<ExportSink> sink);

struct ExpectedToken {
  TokenId x;           ///< a token that a saved checkpoint was patched for
  Choices contextual;  ///< the contextual pass's predictions after x, best first
};

/// Compares a saved checkpoint, run without the context, with the contextual pass.
struct SavedCheck {
  /// Number of tokens after which the checkpoint's most likely token is also the
  /// contextual pass's, or ties with it in the contextual pass.
  std::size_t matches = 0;
  double largest = 0.0;  ///< largest |Δ| of the logits in `contextual`, in float32
};

/// "Loaded again and given token 569 alone, it predicts the contextual pass's token; …"
std::string sentenceOf(const SavedCheck& check,
                       const std::vector<ExpectedToken>& expected);

/// Loads a checkpoint of `Backend::savePatched` and runs the expected tokens without
/// their context. @param like gives the settings for loading
/// @throws Error{BadInput} when a token is outside the vocabulary of `like` or has no
/// predictions; Error as `Session::open`.
SavedCheck checkSaved(const Session& like, const std::filesystem::path& folder,
                      const std::vector<ExpectedToken>& expected, Progress& progress);

}  // namespace equipatch
