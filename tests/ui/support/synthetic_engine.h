// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>
#include <semaphore>
#include <string>

#include "tests/support/records.h"
#include "ui/run/engine.h"

namespace equipatch::test {

/// Splits a text after every space; a token's id is its length. Every id is decoded as
/// "word".
class WordTokenizer final : public Tokenizer {
 public:
  std::vector<Token> encode(std::string_view text, SpecialTokens specials,
                            std::stop_token stop = {}) const override;
  std::string decode(std::span<const TokenId> ids, SpecialTokens specials) const override;
  std::string surface(TokenId id) const override;
  std::string piece(TokenId id) const override;
  std::int64_t size() const override { return 1000; }
};

/// A placeholder for a chat template, which nobody may dereference.
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
/// left out; below α = 0.3 the most likely tokens are the bare pass's.
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

/// An engine whose jobs invent their results. The jobs run on the worker's thread; runs
/// and experiments can be paused and stopped.
class SyntheticEngine final : public Engine {
 public:
  RecordShape shape;
  PatchPlan plan = {};       ///< of loaded models
  ModelSpec spec;            ///< of loaded models; a load sets architecture, dtype, sizes
  int failAfter = -1;        ///< runs throw after this many steps; −1: never
  int overflowAt = -1;       ///< patched passes of this step overflow; −1: none
  std::string loadFailure;   ///< if not empty, loading throws it
  std::string openFailure;   ///< if not empty, opening a run throws it
  bool refusesRuns = false;  ///< jobs of new runs and experiments throw at once
  bool hasTokenizer = true;
  bool hasChat = false;
  std::shared_ptr<const MemoryShortage> shortage;  ///< reported instead of loading
  ModelList models;                                ///< what list jobs find
  std::string forgetFailure;  ///< if not empty, forgetting a folder throws it
  std::shared_ptr<ReplayLog> replays = std::make_shared<ReplayLog>();
  using Semaphore = std::counting_semaphore<>;
  /// Released by each new run that has all its steps, just before its job ends.
  std::shared_ptr<Semaphore> runsComputed = std::make_shared<Semaphore>(0);
  /// Released by each experiment after its last report.
  std::shared_ptr<Semaphore> labsReported = std::make_shared<Semaphore>(0);
  /// Released by each opening that fails and by each load that lacks memory, just before
  /// its job ends.
  std::shared_ptr<Semaphore> refusals = std::make_shared<Semaphore>(0);

  /// Refuses names that begin with "unknown".
  void requireModel(const std::string& name) override;
  /// Refuses runs whose model's folder begins with "/unknown".
  void requireModelOf(const RunHeader& run) override;
  std::unique_ptr<Job> makeLoadJob(const SessionRequest& request, MemoryCheck check,
                                   std::shared_ptr<ModelSink> sink) override;
  std::unique_ptr<Job> makeListJob(std::shared_ptr<ModelListSink> sink,
                                   const Folders& forgotten) override;
  /// Renders a prompt of any form as "<user> TEXT <model> "; the text "refuse" is
  /// refused.
  std::unique_ptr<Job> makePromptJob(const LoadedModel& model, const PromptSource& source,
                                     std::shared_ptr<PromptSink> sink) override;
  /// Creates the file `record` at once; the file is not readable as a run.
  std::unique_ptr<Job> makeRunJob(const LoadedModel& model, const RunRequest& request,
                                  const std::filesystem::path& record,
                                  std::shared_ptr<RunSink> sink) override;
  std::unique_ptr<Job> makeOpenRunJob(const std::filesystem::path& file,
                                      std::shared_ptr<OpenedRunSink> sink) override;
  /// Warns, then computes `kContinuedSteps` steps, beginning with the first.
  std::unique_ptr<Job> makeContinueJob(const LoadedModel& model, const UnfinishedRun& run,
                                       std::shared_ptr<ContinuedRunSink> sink) override;
  /// Writes nothing. If the target contains "refuse", the job fails. If it contains
  /// "slow" or "late", the job waits for a stop request; then a "slow" job is cancelled
  /// and a "late" job finishes.
  std::unique_ptr<Job> makeExportJob(std::shared_ptr<const LoadedModel> model,
                                     const ExportRequest& request,
                                     std::shared_ptr<ExportSink> sink) override;
  std::shared_ptr<StepReplay> makeReplay(const LoadedModel& model) override;
  /// Computes a map whose values are the cells' numbers; image 9 is refused.
  std::unique_ptr<Job> makeImageMapJob(const LoadedModel& model,
                                       const ImageMapRequest& request,
                                       std::shared_ptr<ImageMapSink> sink) override;
  /// The experiment "counting" draws a point for each of its "steps", at most 50. The
  /// experiment "words" has the settings "model" and "prompt".
  const std::vector<Experiment>& experiments() override;
  std::unique_ptr<Job> makeLabJob(const LabRequest& request,
                                  std::shared_ptr<LabSink> sink) override;

  static constexpr int kStoredSteps = 7;         ///< of every run that is opened
  RunEnding storedEnding = RunEnding::Complete;  ///< of every run that is opened
  static constexpr int kContinuedSteps = 11;     ///< of every continued run

  /// How many jobs of a kind were made; runs() counts new and continued runs.
  int loads() const { return m_loads; }
  int runs() const { return m_runs; }
  int prompts() const { return m_prompts; }
  int lists() const { return m_lists; }
  int labs() const { return m_labs; }
  const RunRequest& lastRequest() const { return m_lastRequest; }
  const SessionRequest& lastModel() const { return m_lastModel; }
  const std::filesystem::path& lastRecord() const { return m_lastRecord; }
  const ExportRequest& lastExport() const { return m_lastExport; }
  /// Whether a "late" export waits for its stop request.
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
