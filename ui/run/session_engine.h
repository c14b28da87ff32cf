#pragma once

#include "ui/run/engine.h"

namespace equipatch {

/// The real engine: jobs of core/run.
class SessionEngine final : public Engine {
 public:
  std::unique_ptr<Job> makeLoadJob(const SessionRequest& request,
                                   std::shared_ptr<ModelSink> sink) override;
  std::unique_ptr<Job> makeRunJob(const LoadedModel& model, const RunRequest& request,
                                  std::shared_ptr<RunSink> sink) override;
};

}  // namespace equipatch
