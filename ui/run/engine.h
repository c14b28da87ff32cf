// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/lab/experiment.h"
#include "core/record/run_record.h"
#include "core/record/run_request.h"
#include "core/run/comparison.h"
#include "core/run/export_job.h"
#include "core/run/image_map.h"
#include "core/run/memory_shortage.h"
#include "core/run/model_list.h"
#include "core/run/prepared_prompt.h"
#include "core/run/run_job.h"
#include "core/work/job.h"
#include "ui/run/loaded_model.h"

namespace equipatch {

/// Receives a loaded model on the worker's thread; may only store or forward it.
class ModelSink {
 public:
  virtual ~ModelSink() = default;
  virtual void modelLoaded(std::shared_ptr<const LoadedModel> model) = 0;
  /// Called instead of `modelLoaded` when memory may not suffice.
  virtual void memoryShortage(std::shared_ptr<const MemoryShortage> shortage) = 0;
};

/// Says whether to ask before loading a model that needs more memory than is free.
enum class MemoryCheck { Ask, Skip };

/// Receives a prepared prompt on the worker's thread; may only store or forward it.
class PromptSink {
 public:
  virtual ~PromptSink() = default;
  virtual void promptPrepared(std::shared_ptr<const PreparedPrompt> prompt) = 0;
};

using Folders = std::vector<std::filesystem::path>;

/// Makes the window's jobs: the interface of the real engine and of the tests' engine.
/// Called on the window's thread. All functions return at once, but the first call of
/// `experiments` loads libtorch if nothing has loaded it yet.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Checks that a model on this machine has this name. Compares names of folders only,
  /// and accepts an absolute path that does not exist.
  /// @throws Error{BadInput} as `resolveModel`
  virtual void requireModel(const std::string& name) = 0;
  /// Checks that the folder where the run found its model is on this machine.
  /// @throws Error{BadInput} that says what to do
  virtual void requireModelOf(const RunHeader& run) = 0;
  virtual std::unique_ptr<Job> makeLoadJob(const SessionRequest& request,
                                           MemoryCheck check,
                                           std::shared_ptr<ModelSink> sink) = 0;
  /// Lists the models on this machine.
  /// @param forgotten folders to remove first from the list of folders used before
  virtual std::unique_ptr<Job> makeListJob(std::shared_ptr<ModelListSink> sink,
                                           const Folders& forgotten) = 0;
  /// Prepares a prompt. Requires `model.tokenizer`.
  virtual std::unique_ptr<Job> makePromptJob(const LoadedModel& model,
                                             const PromptSource& source,
                                             std::shared_ptr<PromptSink> sink) = 0;
  /// @param record new file to record the run in; empty: the run is not recorded
  /// @throws Error{BadInput} if `record` exists already
  virtual std::unique_ptr<Job> makeRunJob(const LoadedModel& model,
                                          const RunRequest& request,
                                          const std::filesystem::path& record,
                                          std::shared_ptr<RunSink> sink) = 0;
  /// Computes and records the steps that a recorded run of this model lacks.
  virtual std::unique_ptr<Job> makeContinueJob(
      const LoadedModel& model, const UnfinishedRun& run,
      std::shared_ptr<ContinuedRunSink> sink) = 0;
  /// Exports a recorded run, or a step of it, in another form. @param model may be null
  /// unless `needsModel`
  virtual std::unique_ptr<Job> makeExportJob(std::shared_ptr<const LoadedModel> model,
                                             const ExportRequest& request,
                                             std::shared_ptr<ExportSink> sink) = 0;
  /// Reads a recorded run into `sink`.
  virtual std::unique_ptr<Job> makeOpenRunJob(const std::filesystem::path& file,
                                              std::shared_ptr<OpenedRunSink> sink) = 0;
  /// Replays steps of this model's runs, on a worker's thread; keeps the model loaded.
  virtual std::shared_ptr<StepReplay> makeReplay(const LoadedModel& model) = 0;
  /// Computes which parts of an image in the prompt a step depends on (image_map.h).
  virtual std::unique_ptr<Job> makeImageMapJob(const LoadedModel& model,
                                               const ImageMapRequest& request,
                                               std::shared_ptr<ImageMapSink> sink) = 0;
  /// All experiments of the lab; the list never changes.
  virtual const std::vector<Experiment>& experiments() = 0;
  /// Runs one experiment.
  virtual std::unique_ptr<Job> makeLabJob(const LabRequest& request,
                                          std::shared_ptr<LabSink> sink) = 0;
};

/// What a new run needs: from the window's panels, or from the run on display.
struct RunSettings {
  SessionRequest model;
  /// The prompt is `prepared` if that is set; otherwise the tokens of `run`, if it has
  /// any; otherwise `prompt`, which is then prepared.
  RunRequest run;
  PromptSource prompt;  ///< prepared when the model is loaded
  /// `prompt` as the loaded model prepared it; null: not prepared yet.
  std::shared_ptr<const PreparedPrompt> prepared;
  std::filesystem::path record;  ///< a new file for the run; empty: not recorded
  /// A recorded run to continue instead of starting a new one; all settings except
  /// `model` come from its file.
  std::optional<UnfinishedRun> unfinished = {};
};

}  // namespace equipatch
