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

/// Whether to ask the user before a load for which memory may not suffice.
enum class MemoryCheck { Ask, Skip };

/// Receives a prepared prompt on the worker's thread; may only store or forward it.
class PromptSink {
 public:
  virtual ~PromptSink() = default;
  virtual void promptPrepared(std::shared_ptr<const PreparedPrompt> prompt) = 0;
};

using Folders = std::vector<std::filesystem::path>;

/// Makes the window's jobs. Call all functions on the window's thread. They do not wait
/// for jobs, but `experiments` and `makeLabJob` load libtorch if it is not loaded yet.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Checks that `resolveModel` accepts the name, as it accepts every absolute path. Does
  /// not read the model.
  /// @throws Error{BadInput} as `resolveModel`
  virtual void requireModel(const std::string& name) = 0;
  /// Checks that the folder from which the run's model was loaded is on this machine.
  /// @throws Error{BadInput} that tells the user what to do
  virtual void requireModelOf(const RunHeader& run) = 0;
  virtual std::unique_ptr<Job> makeLoadJob(const SessionRequest& request,
                                           MemoryCheck check,
                                           std::shared_ptr<ModelSink> sink) = 0;
  /// @param forgotten folders to remove first from the list of previously used folders
  virtual std::unique_ptr<Job> makeListJob(std::shared_ptr<ModelListSink> sink,
                                           const Folders& forgotten) = 0;
  /// Requires `model.tokenizer`.
  virtual std::unique_ptr<Job> makePromptJob(const LoadedModel& model,
                                             const PromptSource& source,
                                             std::shared_ptr<PromptSink> sink) = 0;
  /// @param record new file for the run; empty: the run is not recorded
  /// @throws Error{BadInput} if `record` exists; Error as the constructor of RunRecorder
  virtual std::unique_ptr<Job> makeRunJob(const LoadedModel& model,
                                          const RunRequest& request,
                                          const std::filesystem::path& record,
                                          std::shared_ptr<RunSink> sink) = 0;
  /// Computes and records the steps that a recorded run of this model lacks.
  virtual std::unique_ptr<Job> makeContinueJob(
      const LoadedModel& model, const UnfinishedRun& run,
      std::shared_ptr<ContinuedRunSink> sink) = 0;
  /// @param model may be null unless `needsModel`
  virtual std::unique_ptr<Job> makeExportJob(std::shared_ptr<const LoadedModel> model,
                                             const ExportRequest& request,
                                             std::shared_ptr<ExportSink> sink) = 0;
  virtual std::unique_ptr<Job> makeOpenRunJob(const std::filesystem::path& file,
                                              std::shared_ptr<OpenedRunSink> sink) = 0;
  /// The result computes steps of this model's runs again. Use it on a worker's thread.
  /// It shares ownership of the model's session.
  virtual std::shared_ptr<StepReplay> makeReplay(const LoadedModel& model) = 0;
  virtual std::unique_ptr<Job> makeImageMapJob(const LoadedModel& model,
                                               const ImageMapRequest& request,
                                               std::shared_ptr<ImageMapSink> sink) = 0;
  /// The list never changes.
  virtual const std::vector<Experiment>& experiments() = 0;
  virtual std::unique_ptr<Job> makeLabJob(const LabRequest& request,
                                          std::shared_ptr<LabSink> sink) = 0;
};

/// The settings of a run to start or to continue. The prompt is `prepared` if set, else
/// the tokens in `run` if there are any, else `prompt`.
struct RunSettings {
  SessionRequest model;
  RunRequest run;
  PromptSource prompt;
  /// `prompt`, prepared for the loaded model; null: not prepared yet.
  std::shared_ptr<const PreparedPrompt> prepared;
  std::filesystem::path record;  ///< a new file for the run; empty: not recorded
  /// A recorded run to continue. All settings except `model` then come from its file.
  std::optional<UnfinishedRun> unfinished = {};
};

}  // namespace equipatch
