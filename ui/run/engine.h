#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/checkpoint/spec.h"
#include "core/lab/experiment.h"
#include "core/patch/planner.h"
#include "core/record/run_record.h"
#include "core/record/run_request.h"
#include "core/run/memory_shortage.h"
#include "core/run/model_list.h"
#include "core/run/prepared_prompt.h"
#include "core/run/session.h"
#include "core/run/comparison.h"
#include "core/text/chat/chat_template.h"
#include "core/text/tokenizer.h"
#include "core/work/job.h"

namespace equipatch {

/// What the window knows of a loaded model; immutable.
struct LoadedModel {
  std::string name;  ///< last part of the folder
  std::string folder;
  ModelSpec spec;
  DType dtype = DType::F32;
  bool computesFloat32 = false;  ///< although the dtype is another
  std::string device;
  std::int64_t parameters = 0;
  std::vector<std::string> unreadKeys;
  std::vector<std::string> unreadTensors;
  PatchPlan plan;
  std::vector<MemoryEstimate> memory;          ///< by dtype
  std::shared_ptr<const Tokenizer> tokenizer;  ///< null where the folder has none
  std::shared_ptr<const ChatTemplate> chat;    ///< null without one or a tokenizer
  std::string chatProblem;                     ///< why there is none, when it is damaged
  std::shared_ptr<const Session> session;      ///< the engine's own; null in tests
};

/// Hears the loaded model, on the worker's thread; may only store or forward.
class ModelSink {
 public:
  virtual ~ModelSink() = default;
  virtual void modelLoaded(std::shared_ptr<const LoadedModel> model) = 0;
  /// Instead of it: the model was not loaded, because memory may not suffice.
  virtual void memoryShortage(std::shared_ptr<const MemoryShortage> shortage) = 0;
};

/// Whether a model that takes more memory than is free is loaded all the same.
enum class MemoryCheck { Ask, Skip };

/// Receives a prepared prompt on the worker's thread; may only store or forward it.
class PromptSink {
 public:
  virtual ~PromptSink() = default;
  virtual void promptPrepared(std::shared_ptr<const PreparedPrompt> prompt) = 0;
};

using Folders = std::vector<std::filesystem::path>;

/// Where the window gets its jobs from: the seam between the real engine and the tests'.
/// Called on the window's thread; all functions return at once.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::unique_ptr<Job> makeLoadJob(const SessionRequest& request,
                                           MemoryCheck check,
                                           std::shared_ptr<ModelSink> sink) = 0;
  /// What is on this machine.
  /// @param forgotten are first taken off the list of folders used before
  virtual std::unique_ptr<Job> makeListJob(std::shared_ptr<ModelListSink> sink,
                                           const Folders& forgotten) = 0;
  /// Prepares a prompt with the model's tokenizer, which is there, and chat template.
  virtual std::unique_ptr<Job> makePromptJob(const LoadedModel& model,
                                             const PromptSource& source,
                                             std::shared_ptr<PromptSink> sink) = 0;
  /// @param record a new file the run is recorded in; empty: it is not
  virtual std::unique_ptr<Job> makeRunJob(const LoadedModel& model,
                                          const RunRequest& request,
                                          const std::filesystem::path& record,
                                          std::shared_ptr<RunSink> sink) = 0;
  /// Tells `sink` of a recorded run.
  virtual std::unique_ptr<Job> makeOpenRunJob(const std::filesystem::path& file,
                                              std::shared_ptr<RunSink> sink) = 0;
  /// What takes steps of this model's runs again, on a worker's thread; holds the model.
  virtual std::shared_ptr<StepReplay> makeReplay(const LoadedModel& model) = 0;
  /// What the lab offers; never changes.
  virtual const std::vector<Experiment>& experiments() = 0;
  /// Does one of them.
  virtual std::unique_ptr<Job> makeLabJob(const LabRequest& request,
                                          std::shared_ptr<LabSink> sink) = 0;
};

/// What the window's panels are set to when Run is pressed.
struct RunSettings {
  SessionRequest model;
  RunRequest run;       ///< where it holds a prompt's tokens, `prompt` is not read
  PromptSource prompt;  ///< prepared when the model is loaded
  /// Of `prompt` by the loaded model, so that it is not prepared again; null: not yet.
  std::shared_ptr<const PreparedPrompt> prepared;
  std::filesystem::path record;  ///< a new file for the run; empty: not recorded
};

}  // namespace equipatch
