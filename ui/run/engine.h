#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/checkpoint/spec.h"
#include "core/run/run_record.h"
#include "core/run/run_request.h"
#include "core/run/session.h"
#include "core/text/tokenizer.h"
#include "core/work/job.h"

namespace equipatch {

/// What the window knows of a loaded model; immutable.
struct LoadedModel {
  std::string name;  ///< last part of the folder
  std::string folder;
  ModelSpec spec;
  DType dtype = DType::F32;
  std::string device;
  std::int64_t parameters = 0;
  std::vector<std::string> unreadKeys;
  std::vector<std::string> unreadTensors;
  std::shared_ptr<const Tokenizer> tokenizer;  ///< null where the folder has none
  std::shared_ptr<const Session> session;      ///< the engine's own; null in tests
};

/// Hears the loaded model, on the worker's thread; may only store or forward.
class ModelSink {
 public:
  virtual ~ModelSink() = default;
  virtual void modelLoaded(std::shared_ptr<const LoadedModel> model) = 0;
};

/// Where the window gets its jobs from: the seam between the real engine and the tests'.
/// Called on the window's thread; both functions return at once.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::unique_ptr<Job> makeLoadJob(const SessionRequest& request,
                                           std::shared_ptr<ModelSink> sink) = 0;
  virtual std::unique_ptr<Job> makeRunJob(const LoadedModel& model,
                                          const RunRequest& request,
                                          std::shared_ptr<RunSink> sink) = 0;
};

/// What the window's panels are set to when Run is pressed.
struct RunSettings {
  SessionRequest model;
  RunRequest run;  ///< with the prompt's text; its tokens follow when the model is loaded
};

}  // namespace equipatch
