// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <algorithm>

#include "core/backend/ablated_pass.h"
#include "core/backend/image_rows.h"
#include "core/backend/step_report.h"
#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/base/progress.h"
#include "core/kernel/threads.h"
#include "core/run/memory_shortage.h"
#include "core/run/run_origin.h"

namespace equipatch {
namespace {

void checkAbsorbed(const RunRequest& request) {
  const auto prompt = static_cast<std::int64_t>(request.prompt.size());
  std::int64_t next = 0;
  for (const PositionRange& range : request.absorbed.keptPrompt) {
    if (range.first < next || range.last < range.first || range.last >= prompt)
      throw badInput("the kept positions " + std::to_string(range.first) + " to " +
                     std::to_string(range.last) +
                     " are not ascending positions of the prompt's " +
                     std::to_string(prompt) + " tokens");
    next = range.last + 1;
  }
}

void checkLayers(const ModelSpec& spec, const PatchStrength& strength) {
  for (const std::int64_t layer : strength.layers)
    if (layer < 0 || layer >= spec.layerCount())
      throw badInput("there is no layer " + std::to_string(layer) +
                     " to patch; the model's layers are 0 to " +
                     std::to_string(spec.layerCount() - 1));
}

void checkLength(const ModelSpec& spec, const RunRequest& request) {
  if (request.steps < 1)
    throw badInput("a run needs at least 1 step, " + std::to_string(request.steps) +
                   " were requested");
  const auto prompt = static_cast<std::int64_t>(request.prompt.size());
  if (prompt <= spec.maxPositions && request.steps <= spec.maxPositions + 1 - prompt)
    return;
  // Unsigned: a run file may hold any number of steps, and the sum may exceed int64.
  const std::uint64_t needed =
      static_cast<std::uint64_t>(prompt - 1) + static_cast<std::uint64_t>(request.steps);
  throw badInput("the prompt's " + std::to_string(prompt) + " tokens and " +
                 std::to_string(request.steps) + " steps need " + std::to_string(needed) +
                 " positions, the model has " + std::to_string(spec.maxPositions) +
                 "; shorten the prompt or choose fewer steps");
}

void checkMemory(const Session& session, const RunRequest& request) {
  const auto free = availableMemory();
  const std::string shortage = free ? runShortage(session, request, *free) : "";
  if (!shortage.empty()) throw Error(ErrorKind::Resource, shortage);
}

}  // namespace

struct TorchComparison::State {
  std::shared_ptr<const Session> session;
  RunHeader header;
  std::vector<TokenId> history;
  KvCache cache;
  std::optional<NoiseReference> reordered;  // sums in another order
  std::optional<NoiseReference> unrounded;  // if the arithmetic rounds
  std::optional<AblatedPass> ablated = {};
  StepIndex next{0};
  bool ended = false;
  GivenRows images = {};  // set by `prefill`

  const RunRequest& request() const { return header.request; }
  const Transformer& transformer() const { return transformerOf(*session); }
  Tensor roundedLogits(const Tensor& logits) const {
    return roundIfRequested(logits, request(), transformer().arithmetic());
  }
  PassLogits passLogits(const Tensor& logits) const {
    return passLogitsOf(logits, request(), transformer().arithmetic());
  }
  void renewContext(Progress& progress);
  void feed(TokenId x, Progress& progress);
  void append(TokenId token);
  void describePasses(StepRecord& record, const PassResults& results);
  void addNoiseReferences(std::int64_t capacity);
  void describeAblation(StepRecord& record, const PassResults& results,
                        LayerProgress& progress);
  void describeNoise(StepRecord& record, const PassResults& results,
                     LayerProgress& progress);
  void advance(StepRecord& record);
};

TorchComparison::TorchComparison(std::shared_ptr<const Session> session,
                                 RunRequest request) {
  const c10::InferenceMode inference;
  if (request.prompt.empty())
    throw badInput(
        "the prompt has no tokens; give at least one, the token to start from");
  checkImages(*session, request.prompt.size() - 1, request.images);
  checkVocabulary(session->spec(), request.prompt, request.images);
  checkLength(session->spec(), request);
  checkLayers(session->spec(), request.strength);
  checkAbsorbed(request);
  checkMemory(*session, request);
  std::vector<TokenId> history = idsOf(request.prompt);
  const auto capacity = static_cast<std::int64_t>(history.size()) - 1 + request.steps;
  RunHeader header = headerOf(*session, std::move(request));
  const Transformer& transformer = transformerOf(*session);
  KvCache cache = transformer.makeCache(
      capacity, transformer.arithmetic(),
      header.request.absorbed.whole() ? HeldInputs::Recent : HeldInputs::All);
  m_state.reset(new State{std::move(session), std::move(header), std::move(history),
                          std::move(cache), std::nullopt, std::nullopt});
  if (m_state->request().measureNoise) m_state->addNoiseReferences(capacity);
  if (m_state->request().runsAblated())
    m_state->ablated.emplace(*m_state->session, m_state->request());
}

TorchComparison::~TorchComparison() = default;

const RunHeader& TorchComparison::header() const {
  return m_state->header;
}

void TorchComparison::prefill(Progress& progress) {
  const c10::InferenceMode inference;
  const std::span<const TokenId> context(m_state->history.data(),
                                         m_state->history.size() - 1);
  const Transformer& transformer = m_state->transformer();
  BlockHooks none;
  PromptProgress parts(progress, m_state->request().images);
  const GivenRows& images = m_state->images =
      imageRows(*m_state->session, m_state->request().images, parts.images);
  const std::size_t passes = 1U + m_state->reordered.has_value() +
                             m_state->unrounded.has_value() +
                             m_state->ablated.has_value();
  std::size_t pass = 0;
  const auto prefill = [&](KvCache& cache, const Arithmetic& arithmetic) {
    auto part = PartialProgress::ofItem(parts.rest, pass++, passes);
    transformer.prefill(context, cache, none, arithmetic, part, images);
  };
  prefill(m_state->cache, transformer.arithmetic());
  for (auto* reference : {&m_state->reordered, &m_state->unrounded})
    if (*reference) prefill((*reference)->cache, (*reference)->arithmetic);
  if (m_state->ablated) {
    auto part = PartialProgress::ofItem(parts.rest, pass++, passes);
    m_state->ablated->prefill(part);
  }
}

void TorchComparison::resume(const std::vector<TokenId>& continued, Progress& progress) {
  const c10::InferenceMode inference;
  const NoLibraryThreads noLibraryThreads;
  State& state = *m_state;
  if (std::ssize(continued) > state.request().steps)
    throw badInput("a run of " + std::to_string(state.request().steps) +
                   " steps cannot continue after " + std::to_string(continued.size()) +
                   "; it has no step left");
  std::vector<Token> tokens;
  for (const TokenId id : continued) tokens.push_back({.id = id});
  checkVocabulary(state.session->spec(), tokens, {});
  const auto count = static_cast<double>(continued.size());
  for (const TokenId token : continued) {
    progress.throwIfStopped();
    const auto done = static_cast<double>(state.next.value);
    LabelledProgress one(progress, done / count, (done + 1.0) / count,
                         "Recomputing the context");
    state.renewContext(one);
    state.feed(state.history.back(), one);
    state.append(token);
  }
}

bool TorchComparison::done() const {
  return m_state->ended || m_state->next.value >= m_state->request().steps;
}

std::shared_ptr<const StepRecord> TorchComparison::step(Progress& progress) {
  const c10::InferenceMode inference;
  const NoLibraryThreads noLibraryThreads;
  State& state = *m_state;
  const RunRequest& request = state.request();
  const Stopwatch watch;
  auto record = std::make_shared<StepRecord>();
  record->step = state.next;
  record->x = state.history.back();
  record->position = Position(static_cast<std::int64_t>(state.history.size()) - 1);

  state.renewContext(progress);
  StepSetup setup =
      stepSetup(request, record->position.value, state.transformer().arithmetic());
  LayerProgress layers(progress, "Generating",
                       setup.forwards() + std::int64_t{state.reordered.has_value()} +
                           std::int64_t{state.unrounded.has_value()} +
                           std::int64_t{state.ablated.has_value()});
  setup.progress = &layers;
  const PassResults results =
      runPasses(state.transformer(), record->x, state.cache, setup);
  state.describePasses(*record, results);
  record->layers = layerRecords(results);
  if (request.keepFactors) record->factors = patchFactors(results);
  state.describeNoise(*record, results, layers);
  state.describeAblation(*record, results, layers);
  state.advance(*record);
  record->milliseconds = watch.milliseconds();
  return record;
}

/// Recomputes the context's keys and values if the step's token changes the rotary
/// frequencies of all tokens (LongRope).
void TorchComparison::State::renewContext(Progress& progress) {
  const auto length = static_cast<std::int64_t>(history.size());
  const std::span<const TokenId> context(history.data(), history.size() - 1);
  transformer().renew(context, length, cache, transformer().arithmetic(), progress,
                      images);
  for (auto* reference : {&reordered, &unrounded})
    if (*reference)
      transformer().renew(context, length, (*reference)->cache, (*reference)->arithmetic,
                          progress, images);
  if (ablated) ablated->renew(progress);
}

/// Adds token x to the caches in a forward pass of its own, as `step` does, so that the
/// results are the same.
void TorchComparison::State::feed(TokenId x, Progress& progress) {
  BlockHooks none;
  const std::span<const TokenId> token(&x, 1);
  transformer().prefill(token, cache, none, transformer().arithmetic(), progress);
  for (auto* reference : {&reordered, &unrounded})
    if (*reference)
      transformer().prefill(token, (*reference)->cache, none, (*reference)->arithmetic,
                            progress);
  if (ablated) ablated->feed(x, progress);
}

void TorchComparison::State::describePasses(StepRecord& record,
                                            const PassResults& results) {
  const PassLogits contextual = passLogits(results.contextual);
  if (!contextual.summary().finite) throw notFiniteContext(transformer(), results);
  const PassLogits patched = passLogits(results.patched);
  record.contextual = choicesOf(*session, contextual);
  record.patched = choicesOf(*session, patched);
  record.match = contextual.hasSameArgmaxAs(patched);
  record.patchedDistance = contextual.distanceTo(patched);
  if (record.contextual.size() > 1)
    record.margin = record.contextual[0].logit - record.contextual[1].logit;
  if (results.bare.defined()) {
    const PassLogits bare = passLogits(results.bare);
    record.bare = choicesOf(*session, bare);
    record.bareDistance = contextual.distanceTo(bare);
  }
  if (results.audit.defined())
    record.auditDistance =
        contextual.distanceTo(PassLogits(roundedLogits(results.audit), 1));
  // Random numbers depend on the number of tokens since the earliest ancestor's prompt,
  // so that a branch draws the same ones as its ancestors at each position.
  const std::int64_t inherited = std::max<std::int64_t>(request().branch.tokens, 0);
  const StepIndex draw(record.step.value + inherited);
  record.token = contextual.choose(request().sampling, draw);
  record.patchedToken = patched.choose(request().sampling, draw);
  record.sampledMatch = sampledMatchOf(record, request());
  record.tokenText = tokenText(*session, record.token);
  record.patchedText = tokenText(*session, record.patchedToken);
}

void TorchComparison::State::addNoiseReferences(std::int64_t capacity) {
  const auto add = [&](std::optional<NoiseReference>& reference,
                       const Arithmetic& arithmetic) {
    reference = NoiseReference{
        arithmetic, transformer().makeCache(capacity, arithmetic, HeldInputs::Recent)};
  };
  const Arithmetic& own = transformer().arithmetic();
  add(reordered, own.with(SummationOrder::Alternate));
  if (own.rounds()) add(unrounded, own.unrounded());
}

void TorchComparison::State::describeNoise(StepRecord& record, const PassResults& results,
                                           LayerProgress& progress) {
  if (!request().measureNoise) return;
  const PassLogits contextual(roundedLogits(results.contextual), 1);
  const auto measure = [&](std::optional<NoiseReference>& reference,
                           std::optional<LogitDistance>& distance,
                           std::vector<double>& layers) {
    if (!reference) return;
    const NoiseResult noise = runNoiseReference(transformer(), record.x, *reference,
                                                results.context, &progress);
    distance = contextual.distanceTo(PassLogits(roundedLogits(noise.logits), 1));
    layers = noise.hiddenErrors;
  };
  measure(reordered, record.noise, record.layerNoise);
  measure(unrounded, record.rounding, record.layerRounding);
}

void TorchComparison::State::describeAblation(StepRecord& record,
                                              const PassResults& results,
                                              LayerProgress& progress) {
  if (!ablated) return;
  const PassLogits logits = passLogits(ablated->run(record.x, &progress));
  record.ablated = choicesOf(*session, logits);
  record.ablatedDistance =
      PassLogits(roundedLogits(results.contextual), 1).distanceTo(logits);
}

/// Appends the contextual pass's token to the history (forced history, as in the paper)
/// or, in a free run, the patched pass's token.
void TorchComparison::State::advance(StepRecord& record) {
  record.continued = request().freeRun ? record.patchedToken : record.token;
  record.continuedBytes = tokenBytes(*session, record.continued);
  append(record.continued);
}

void TorchComparison::State::append(TokenId token) {
  history.push_back(token);
  next = StepIndex(next.value + 1);
  const auto& ends = session->spec().endOfSequence;
  ended = !request().ignoreEndOfSequence &&
          std::find(ends.begin(), ends.end(), token) != ends.end();
}

}  // namespace equipatch
