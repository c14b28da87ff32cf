// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <algorithm>
#include <optional>

#include "core/backend/image_rows.h"
#include "core/backend/step_report.h"
#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/run/memory_shortage.h"

namespace equipatch {
namespace {

class SessionReplay final : public StepReplay {
 public:
  explicit SessionReplay(std::shared_ptr<const Session> session)
      : m_session(std::move(session)) {}

  void open(const ReplayedStep& step, Progress& progress) override;
  StrengthReading read(const PatchStrength& strength, Progress& progress) override;

 private:
  const Transformer& transformer() const { return transformerOf(*m_session); }
  StepSetup setup(const ReplayedStep& step) const;
  bool holdsPromptOf(const ReplayedStep& step) const;
  void keepCommonContext(const ReplayedStep& step);
  void startContext(const ReplayedStep& step, Progress& progress);
  void feed(std::span<const TokenId> tokens, Progress& progress);
  void renew(std::int64_t length, Progress& progress);
  PassLogits passLogits(const Tensor& logits) const {
    return passLogitsOf(logits, m_step->request, transformer().arithmetic());
  }

  std::shared_ptr<const Session> m_session;
  std::optional<ReplayedStep> m_step;
  std::optional<KvCache> m_cache;
  std::vector<TokenId> m_held;  // the tokens whose keys and values are in the cache
  std::int64_t m_length = 0;    // the cached keys are rotated for a text of this length
  RunRequest m_heldFor;         // the run that m_held belongs to
  GivenRows m_images;           // image rows of m_heldFor
  PassResults m_results;
  std::optional<PassLogits> m_contextual;
};

/// The step may come from a run file of another model or of a stranger.
void checkStep(const Session& session, const ReplayedStep& step) {
  const std::size_t prompt = step.request.prompt.size();
  if (prompt == 0 || step.history.size() < prompt)
    throw badInput("the run's record holds " + std::to_string(step.history.size()) +
                   " tokens up to this step and a prompt of " + std::to_string(prompt) +
                   ", so the step cannot be recomputed; open an undamaged record");
  checkTextLength(session.spec(), step.history.size());
  checkImages(session, prompt - 1, step.request.images);
}

StepSetup SessionReplay::setup(const ReplayedStep& step) const {
  StepSetup setup =
      stepSetup(step.request, std::ssize(step.history) - 1, transformer().arithmetic());
  setup.strength = {};
  setup.bare = setup.audit = false;
  setup.keepPatch = true;
  return setup;
}

bool SessionReplay::holdsPromptOf(const ReplayedStep& step) const {
  return m_cache && m_heldFor == step.request &&
         m_held.size() + 1 >= step.request.prompt.size() &&
         transformer().sharesCache(m_length, std::ssize(step.history)) &&
         m_cache->capacity() >= static_cast<std::int64_t>(step.history.size());
}

void SessionReplay::keepCommonContext(const ReplayedStep& step) {
  const auto differ = std::mismatch(m_held.begin(), m_held.end(), step.history.begin(),
                                    step.history.end() - 1);
  m_held.erase(differ.first, m_held.end());
}

/// The capacity, in positions, of a cache for the whole run, so that the run's other
/// steps can use the cache; if memory is too small, for this step alone.
/// @throws Error{Resource} if memory is too small even for this step
std::int64_t capacityFor(const Session& session, const ReplayedStep& step) {
  const auto own = static_cast<std::int64_t>(step.history.size());
  const auto prompt = static_cast<std::int64_t>(step.request.prompt.size());
  const auto shortage = [&](std::int64_t capacity) {
    const auto free = availableMemory();
    const RunRequest plain{.prompt = step.request.prompt, .steps = capacity + 1 - prompt};
    return free ? runShortage(session, plain, *free) : std::string();
  };
  const std::int64_t room =
      std::min(session.spec().maxPositions - prompt, step.request.steps);
  const std::int64_t whole = std::max(own, prompt + room);
  if (shortage(whole).empty()) return whole;
  if (const std::string problem = shortage(own); !problem.empty())
    throw Error(ErrorKind::Resource, problem);
  return own;
}

/// Prefills the prompt, without its last token, in one call, as the run did, so that the
/// results are the same.
void SessionReplay::startContext(const ReplayedStep& step, Progress& progress) {
  m_held.clear();
  m_cache.reset();
  m_cache = transformer().makeCache(capacityFor(*m_session, step));
  m_heldFor = step.request;
  BlockHooks none;
  const auto context = std::span(step.history).first(step.request.prompt.size() - 1);
  PromptProgress parts(progress, step.request.images);
  m_images = imageRows(*m_session, step.request.images, parts.images);
  transformer().prefill(context, *m_cache, none, transformer().arithmetic(), parts.rest,
                        m_images);
  m_held.assign(context.begin(), context.end());
  m_length = std::ssize(m_held);
}

/// Adds generated tokens one by one, as the run did, so that the results are the same. If
/// `prefill` is stopped, the cache remains valid for the held tokens: later calls
/// overwrite the next token's rows, which some layers have already written.
void SessionReplay::feed(std::span<const TokenId> tokens, Progress& progress) {
  BlockHooks none;
  const auto count = static_cast<double>(tokens.size());
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    progress.throwIfStopped();
    const auto done = static_cast<double>(at);
    LabelledProgress one(progress, done / count, (done + 1.0) / count,
                         "Recomputing the context of the step");
    renew(std::ssize(m_held) + 1, one);
    transformer().prefill(tokens.subspan(at, 1), *m_cache, none,
                          transformer().arithmetic(), one);
    m_held.push_back(tokens[at]);
  }
}

/// Adapts the cache to a text of `length` tokens, as the run did at this length.
void SessionReplay::renew(std::int64_t length, Progress& progress) {
  try {
    transformer().renew(m_held, length, *m_cache, transformer().arithmetic(), progress,
                        m_images);
  } catch (...) {
    m_cache.reset();  // some of its keys may be rotated for the new length already
    throw;
  }
  m_length = length;
}

void SessionReplay::open(const ReplayedStep& step, Progress& progress) {
  const c10::InferenceMode inference;
  if (m_step == step) return;
  checkStep(*m_session, step);
  m_step.reset();
  if (!holdsPromptOf(step)) startContext(step, progress);
  keepCommonContext(step);
  m_cache->setLength(static_cast<std::int64_t>(m_held.size()));
  const auto context = std::span(step.history).first(step.history.size() - 1);
  feed(context.subspan(m_held.size()), progress);
  renew(std::ssize(step.history), progress);
  progress.throwIfStopped();
  StepSetup passes = setup(step);
  LayerProgress layers(progress, "Recomputing the step", passes.forwards());
  passes.progress = &layers;
  m_results = runPasses(transformer(), step.history.back(), *m_cache, passes);
  m_held.push_back(step.history.back());
  m_contextual =
      passLogitsOf(m_results.contextual, step.request, transformer().arithmetic());
  if (!m_contextual->summary().finite) throw notFiniteContext(transformer(), m_results);
  m_step = step;
}

StrengthReading SessionReplay::read(const PatchStrength& strength, Progress& progress) {
  const c10::InferenceMode inference;
  Tensor logits = m_results.patched;
  if (!strength.whole()) {
    progress.throwIfStopped();
    StepSetup setup = this->setup(*m_step);
    LayerProgress layers(progress, "Trying the strength");
    setup.progress = &layers;
    const Patch part = appliedPatch(transformer(), m_results.patch, strength, setup);
    logits = runGivenPatch(transformer(), m_step->history.back(), *m_cache, setup, part);
  }
  const PassLogits patched = passLogits(logits);
  StrengthReading reading{.strength = strength,
                          .choices = choicesOf(*m_session, patched),
                          .distance = m_contextual->distanceTo(patched)};
  reading.match = m_contextual->hasSameArgmaxAs(patched);
  const Tensor expected = roundIfRequested(logits[m_contextual->argmax().value],
                                           m_step->request, transformer().arithmetic());
  reading.probability = patched.summary().probability(expected.item<double>());
  return reading;
}

}  // namespace

std::shared_ptr<StepReplay> makeStepReplay(std::shared_ptr<const Session> session) {
  return std::make_shared<SessionReplay>(std::move(session));
}

}  // namespace equipatch
