// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>
#include <semaphore>
#include <string>

#include "tests/support/records.h"
#include "ui/run/engine.h"

namespace equipatch::test {

/// Splits a text after every space; a token's id is its length. That is enough to test
/// token counts and boundaries.
class WordTokenizer final : public Tokenizer {
 public:
  std::vector<Token> encode(std::string_view text, SpecialTokens specials,
                            std::stop_token stop = {}) const override;
  std::string decode(std::span<const TokenId> ids, SpecialTokens specials) const override;
  std::string surface(TokenId id) const override;
  std::string piece(TokenId id) const override;
  std::int64_t size() const override { return 1000; }
};

/// The chat template of the synthetic models; never rendered.
std::shared_ptr<const ChatTemplate> anyChatTemplate();

/// Counts the calls of replays, and can make them fail or wait.
struct ReplayLog {
  std::atomic<int> opened = 0;
  std::atomic<int> read = 0;
  std::string failure;                  ///< if not empty, opening a replay throws it
  bool held = false;                    ///< each reading first acquires `let`
  std::atomic<bool> failsOnce = false;  ///< the next reading throws
  double overflow = 1e9;                ///< from this α on, logits are not finite
  std::counting_semaphore<> let{0};
};

/// Invents readings from the strength: L∞ is 10·|1 − α| + 10⁻⁴, plus 1 for each layer
/// left out; below α = 0.3 another token wins.
class SyntheticReplay final : public StepReplay {
 public:
  SyntheticReplay(RecordShape shape, std::shared_ptr<ReplayLog> log)
      : m_shape(shape), m_log(std::move(log)) {}
  void open(const ReplayedStep& step, Progress& progress) override;
  StrengthReading read(const PatchStrength& strength, Progress& progress) override;

 private:
  RecordShape m_shape;
  std::shared_ptr<ReplayLog> m_log;
  int m_step = 0;
};

/// An engine whose jobs invent their results. They run on the worker's thread and can be
/// paused and stopped like real jobs.
class SyntheticEngine final : public Engine {
 public:
  RecordShape shape;
  PatchPlan plan = {};       ///< of loaded models
  ModelSpec spec;            ///< of loaded models, besides architecture, dtype and shape
  int failAfter = -1;        ///< the run throws after this many steps; −1: never
  int overflowAt = -1;       ///< the patched pass overflows in this step; −1: in none
  std::string loadFailure;   ///< if not empty, loading throws it
  std::string openFailure;   ///< if not empty, opening a run throws it
  bool refusesRuns = false;  ///< jobs of new runs and experiments throw at once
  bool hasTokenizer = true;
  bool hasChat = false;
  std::shared_ptr<const MemoryShortage> shortage;  ///< reported instead of loading
  ModelList models;                                ///< what listing finds
  std::string forgetFailure;  ///< if not empty, forgetting a folder throws it
  std::shared_ptr<ReplayLog> replays = std::make_shared<ReplayLog>();
  using Semaphore = std::counting_semaphore<>;
  /// Released by each new run that has all its steps, just before its job ends.
  std::shared_ptr<Semaphore> runsComputed = std::make_shared<Semaphore>(0);
  /// Released by each experiment after its last report.
  std::shared_ptr<Semaphore> labsReported = std::make_shared<Semaphore>(0);
  /// Released by each opening that fails and each load that lacks memory, at its end.
  std::shared_ptr<Semaphore> refusals = std::make_shared<Semaphore>(0);

  /// Refuses names that begin with "unknown".
  void requireModel(const std::string& name) override;
  void requireModelOf(const RunHeader& run) override;
  std::unique_ptr<Job> makeLoadJob(const SessionRequest& request, MemoryCheck check,
                                   std::shared_ptr<ModelSink> sink) override;
  std::unique_ptr<Job> makeListJob(std::shared_ptr<ModelListSink> sink,
                                   const Folders& forgotten) override;
  /// Renders a prompt of any form as "<user> TEXT <model> "; the text "refuse" is
  /// refused.
  std::unique_ptr<Job> makePromptJob(const LoadedModel& model, const PromptSource& source,
                                     std::shared_ptr<PromptSink> sink) override;
  /// Makes `record` at once, with a text in place of a run.
  std::unique_ptr<Job> makeRunJob(const LoadedModel& model, const RunRequest& request,
                                  const std::filesystem::path& record,
                                  std::shared_ptr<RunSink> sink) override;
  std::unique_ptr<Job> makeOpenRunJob(const std::filesystem::path& file,
                                      std::shared_ptr<OpenedRunSink> sink) override;
  /// Computes all `kContinuedSteps` steps of a run, after a warning.
  std::unique_ptr<Job> makeContinueJob(const LoadedModel& model, const UnfinishedRun& run,
                                       std::shared_ptr<ContinuedRunSink> sink) override;
  /// Writes nothing. A target that contains "refuse" is refused. With "slow" and
  /// "late" the job goes on until it is stopped; then "slow" is cancelled and "late"
  /// finishes.
  std::unique_ptr<Job> makeExportJob(std::shared_ptr<const LoadedModel> model,
                                     const ExportRequest& request,
                                     std::shared_ptr<ExportSink> sink) override;
  std::shared_ptr<StepReplay> makeReplay(const LoadedModel& model) override;
  /// Computes a map whose values are the cells' numbers; image 9 is refused.
  std::unique_ptr<Job> makeImageMapJob(const LoadedModel& model,
                                       const ImageMapRequest& request,
                                       std::shared_ptr<ImageMapSink> sink) override;
  /// The experiments "counting", which draws as many points as its setting "steps" says,
  /// at most 50, and "words", which has the settings "model" and "prompt".
  const std::vector<Experiment>& experiments() override;
  std::unique_ptr<Job> makeLabJob(const LabRequest& request,
                                  std::shared_ptr<LabSink> sink) override;

  static constexpr int kStoredSteps = 7;         ///< of every run that is opened
  RunEnding storedEnding = RunEnding::Complete;  ///< of every run that is opened
  static constexpr int kContinuedSteps = 11;     ///< of every continued run

  int loads() const { return m_loads; }
  int runs() const { return m_runs; }
  int prompts() const { return m_prompts; }  ///< how many jobs prepared a prompt
  int lists() const { return m_lists; }
  int labs() const { return m_labs; }
  const RunRequest& lastRequest() const { return m_lastRequest; }
  const SessionRequest& lastModel() const { return m_lastModel; }
  const std::filesystem::path& lastRecord() const { return m_lastRecord; }
  const ExportRequest& lastExport() const { return m_lastExport; }
  /// Whether an export to a target with "late" waits for its stop.
  bool isExportingLate() const { return *m_late; }
  const UnfinishedRun& lastUnfinished() const { return m_lastUnfinished; }
  const Folders& lastForgotten() const { return m_lastForgotten; }
  const std::filesystem::path& lastOpened() const { return m_lastOpened; }

 private:
  int m_loads = 0, m_runs = 0, m_lists = 0, m_prompts = 0, m_labs = 0;
  RunRequest m_lastRequest;
  SessionRequest m_lastModel;
  std::filesystem::path m_lastRecord, m_lastOpened;
  Folders m_lastForgotten;
  UnfinishedRun m_lastUnfinished;
  ExportRequest m_lastExport;
  std::shared_ptr<std::atomic<bool>> m_late = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace equipatch::test
