// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/run/engine.h"

namespace equipatch {

/// The engine of the program; tests have others.
class SessionEngine final : public Engine {
 public:
  SessionEngine();

  void requireModel(const std::string& name) override;
  void requireModelOf(const RunHeader& run) override;
  std::unique_ptr<Job> makeLoadJob(const SessionRequest& request, MemoryCheck check,
                                   std::shared_ptr<ModelSink> sink) override;
  std::unique_ptr<Job> makeListJob(std::shared_ptr<ModelListSink> sink,
                                   const Folders& forgotten) override;
  std::unique_ptr<Job> makePromptJob(const LoadedModel& model, const PromptSource& source,
                                     std::shared_ptr<PromptSink> sink) override;
  std::unique_ptr<Job> makeRunJob(const LoadedModel& model, const RunRequest& request,
                                  const std::filesystem::path& record,
                                  std::shared_ptr<RunSink> sink) override;
  std::unique_ptr<Job> makeContinueJob(const LoadedModel& model, const UnfinishedRun& run,
                                       std::shared_ptr<ContinuedRunSink> sink) override;
  std::unique_ptr<Job> makeExportJob(std::shared_ptr<const LoadedModel> model,
                                     const ExportRequest& request,
                                     std::shared_ptr<ExportSink> sink) override;
  std::unique_ptr<Job> makeOpenRunJob(const std::filesystem::path& file,
                                      std::shared_ptr<OpenedRunSink> sink) override;
  std::shared_ptr<StepReplay> makeReplay(const LoadedModel& model) override;
  std::unique_ptr<Job> makeImageMapJob(const LoadedModel& model,
                                       const ImageMapRequest& request,
                                       std::shared_ptr<ImageMapSink> sink) override;
  const std::vector<Experiment>& experiments() override;
  std::unique_ptr<Job> makeLabJob(const LabRequest& request,
                                  std::shared_ptr<LabSink> sink) override;

 private:
  std::shared_ptr<ParityBook> m_parity;  ///< only list jobs use it, one at a time
};

}  // namespace equipatch
