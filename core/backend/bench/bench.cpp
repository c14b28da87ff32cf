// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>

#include "core/backend/bench/timed_tower.h"
#include "core/backend/bench/timed_work.h"
#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/base/temporary_folder.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/step_size.h"
#include "core/kernel/stream_read.h"
#include "core/kernel/threads.h"
#include "core/kernel/weight_products.h"
#include "core/record/file/run_writer.h"
#include "core/run/prompt_images.h"

namespace equipatch {
namespace {

/// Tokens before the timed steps; fewer if the model lacks the positions.
constexpr std::int64_t kContext = 64;
constexpr std::int64_t kPromptTokens = 512;
constexpr std::int64_t kEarlyPosition = 200, kLatePosition = 2000;

Spread scaled(const Spread& spread, double factor) {
  return {spread.median * factor, spread.low * factor, spread.high * factor};
}

Spread onePlus(const Spread& spread) {
  return {1.0 + spread.median, 1.0 + spread.low, 1.0 + spread.high};
}

class Bench {
 public:
  Bench(const std::shared_ptr<const Session>& session, const BenchRequest& request,
        Progress& progress)
      : m_session(session),
        m_transformer(transformerOf(*session)),
        m_request(request),
        m_progress(progress) {
    m_report.weightBytes = estimateFor(session->checkpoint(), session->dtype()).weights;
    // Check now what would otherwise fail after hours of timing.
    if (request.images > 0) requireVision(session->spec());
    if (request.coldStart == MeasureColdStart::Yes)
      m_coldPlace = folderOnDisk(temporaryPlaces(), std::uintmax_t(m_report.weightBytes));
  }

  BenchReport run() {
    m_progress.report(0.0, "Timing steps");
    timeSteps();
    m_progress.report(0.4, "Timing the prompt");
    timePrompt();
    m_progress.report(0.7, "Timing a late step");
    timeLateStep();
    if (m_request.coldStart == MeasureColdStart::Yes) {
      m_progress.report(0.8, "Timing a cold start");
      timeColdStart();
    }
    if (m_request.loading == MeasureLoading::Yes) {
      m_progress.report(0.9, "Timing loads");
      timeLoading();
    }
    if (m_request.images > 0) timeTower();
    return std::move(m_report);
  }

 private:
  std::int64_t positions() const { return m_transformer.spec().maxPositions; }
  int fewRounds() const { return std::max(1, m_request.rounds / 3); }

  void time(const std::vector<Timed>& works, int rounds) {
    std::ranges::move(timeInTurn(works, rounds, m_progress),
                      std::back_inserter(m_report.timings));
  }
  /// The ratio of two durations, which the same call of `time` must have measured.
  Spread ratioOf(const char* above, const char* below) const {
    return equipatch::ratioOf(m_report.timing(above), m_report.timing(below));
  }

  void timeSteps();
  void timePrompt();
  void timeLateStep();
  void timeColdStart();
  void timeLoading();
  void timeTower();
  double promptOperations() const;

  std::shared_ptr<const Session> m_session;
  const Transformer& m_transformer;
  BenchRequest m_request;
  Progress& m_progress;
  BenchReport m_report;
  std::filesystem::path m_coldPlace;  ///< empty: no cold start is timed
};

StreamSpacing fasterSpacing(const std::vector<std::span<const std::byte>>& weights) {
  const auto durationOf = [&](StreamSpacing spacing) {
    const auto start = std::chrono::steady_clock::now();
    for (const auto& weight : weights) streamRead(weight, spacing);
    return std::chrono::steady_clock::now() - start;
  };
  durationOf(StreamSpacing::Distant);  // the first reading is slower
  const auto distant = durationOf(StreamSpacing::Distant);
  return durationOf(StreamSpacing::Near) < distant ? StreamSpacing::Near
                                                   : StreamSpacing::Distant;
}

void Bench::timeSteps() {
  const std::int64_t steps = m_request.rounds + 1;
  if (steps >= positions())
    throw badInput("the model has " + std::to_string(positions()) +
                   " positions, too few for " + std::to_string(m_request.rounds) +
                   " rounds; choose fewer");
  const auto prompt = randomTokens(std::min(kContext, positions() + 1 - steps),
                                   m_transformer.spec().vocabulary);
  PlainDecoder plain(m_transformer, prompt, steps);
  const auto factored =
      preparedComparison(m_session, prompt, steps, Application::Factored);
  const auto materialised =
      preparedComparison(m_session, prompt, steps, Application::Materialised);
  const TemporaryFolder folder;
  RunWriter writer(folder.path() / "run.eqrun", factored->header());
  std::shared_ptr<const StepRecord> record;
  const auto weights = stepWeights(m_transformer);
  const StreamSpacing spacing = fasterSpacing(weights);
  m_report.threads = kernelThreads();
  m_report.stepBytes = bytesOf(weights);

  std::vector<Timed> works{
      {TimingName::kPlainStep, [&] { plain.step(); }},
      {TimingName::kComparisonStep, [&] { record = factored->step(); }},
      {TimingName::kRecording, [&] { writer.add(*record); }},
      {TimingName::kReading,
       [&] {
         for (const auto& weight : weights) streamRead(weight, spacing);
       }},
      {TimingName::kMaterialisedStep, [&] { materialised->step(); }}};
  std::optional<PlainDecoder> plainDrawn;
  std::unique_ptr<Comparison> drawn;
  if (m_request.drawn) {
    plainDrawn.emplace(transformerOf(*m_request.drawn), prompt, steps);
    drawn = preparedComparison(m_request.drawn, prompt, steps, Application::Factored);
    works.push_back({TimingName::kPlainStepDrawn, [&] { plainDrawn->step(); }});
    works.push_back({TimingName::kComparisonStepDrawn, [&] { drawn->step(); }});
  }
  time(works, m_request.rounds);
  m_report.comparisonRatio = ratioOf(TimingName::kComparisonStep, TimingName::kPlainStep);
  m_report.recordRatio =
      onePlus(ratioOf(TimingName::kRecording, TimingName::kComparisonStep));
  m_report.bandwidthFraction = ratioOf(TimingName::kReading, TimingName::kPlainStep);
  m_report.materialisedRatio =
      ratioOf(TimingName::kMaterialisedStep, TimingName::kComparisonStep);
  if (!m_request.drawn) return;
  m_report.plainOnFileRatio =
      ratioOf(TimingName::kPlainStep, TimingName::kPlainStepDrawn);
  m_report.comparisonOnFileRatio =
      ratioOf(TimingName::kComparisonStep, TimingName::kComparisonStepDrawn);
}

/// The floating-point operations of the prompt's products with weight matrices, without
/// the head.
double Bench::promptOperations() const {
  const StepSize step = stepSize(m_session->checkpoint(), m_session->dtype());
  return 2.0 * static_cast<double>(step.elements - step.headElements) *
         static_cast<double>(m_report.promptTokens);
}

void Bench::timePrompt() {
  m_report.promptTokens = std::min(kPromptTokens, positions());
  PromptPrefill prompt(m_transformer, randomTokens(m_report.promptTokens,
                                                   m_transformer.spec().vocabulary));
  prompt.run();
  m_report.peakBytes = peakMemory();
  LargeProduct product(m_transformer.arithmetic());
  time({{TimingName::kPrompt, [&] { prompt.run(); }},
        {TimingName::kLargeProduct, [&] { product.run(); }}},
       fewRounds());
  m_report.largeProductRate =
      product.operations() /
      (m_report.timing(TimingName::kLargeProduct).spread().median / 1000.0);
  m_report.promptFraction =
      scaled(ratioOf(TimingName::kLargeProduct, TimingName::kPrompt),
             promptOperations() / product.operations());
}

void Bench::timeLateStep() {
  m_report.lateStep = std::min(kLatePosition, positions() - 1);
  m_report.earlyStep = std::min(kEarlyPosition, m_report.lateStep / 2);
  StepAtPosition early(m_transformer, m_report.earlyStep),
      late(m_transformer, m_report.lateStep);
  time({{TimingName::kEarlyStep, [&] { early.run(); }},
        {TimingName::kLateStep, [&] { late.run(); }}},
       m_request.rounds);
  m_report.lateRatio = ratioOf(TimingName::kLateStep, TimingName::kEarlyStep);
}

void Bench::timeColdStart() {
  const ColdStart start(*m_session, m_coldPlace);
  const auto cool = [&] { start.cool(); };
  time({{TimingName::kColdFile, [&] { start.readFile(); }, cool},
        {TimingName::kColdStart, [&] { start.firstStep(); }, cool}},
       fewRounds());
  m_report.coldRatio = ratioOf(TimingName::kColdStart, TimingName::kColdFile);
}

void Bench::timeLoading() {
  RepeatedLoad load(*m_session);
  MemoryCopy copy(m_transformer, m_report.weightBytes);
  const auto cool = [&] { load.cool(); };
  time({{TimingName::kColdLoadFile, [&] { load.readFile(); }, cool},
        {TimingName::kColdLoad, [&] { load.load(); }, cool},
        {TimingName::kCachedLoad, [&] { load.load(); }, [&] { load.warm(); }},
        // `cool` released the weights' pages; an untimed copy maps them again.
        {TimingName::kMemoryCopy, [&] { copy.run(); }, [&] { copy.run(); }}},
       fewRounds());
  m_report.coldLoadRatio = ratioOf(TimingName::kColdLoad, TimingName::kColdLoadFile);
  m_report.loadFraction = ratioOf(TimingName::kMemoryCopy, TimingName::kCachedLoad);
}

void Bench::timeTower() {
  m_progress.report(0.9, "Timing the vision tower");
  PartialProgress still(m_progress, 0.9, 0.9);  // stays at 0.9 for every image
  TowerRun tower(*m_session, still);
  KernelProduct product(m_transformer.arithmetic());
  time({{TimingName::kImage, [&] { tower.run(); }},
        {TimingName::kOwnProduct, [&] { product.run(); }}},
       m_request.images);
  m_report.imageOperations = tower.operations();
  m_report.towerFraction = scaled(ratioOf(TimingName::kOwnProduct, TimingName::kImage),
                                  tower.operations() / product.operations());
}

}  // namespace

BenchReport bench(const std::shared_ptr<const Session>& session,
                  const BenchRequest& request, Progress& progress) {
  const c10::InferenceMode inference;
  return Bench(session, request, progress).run();
}

}  // namespace equipatch
