// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/backend/image_rows.h"
#include "core/backend/step_report.h"
#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/model/not_finite.h"
#include "core/patch/hooks/patch_application.h"
#include "core/patch/hooks/shared_patch_builder.h"
#include "core/record/quantile.h"

namespace equipatch {
namespace {

constexpr double kGenerating = 0.5;  // the progress when generating ends
// The stages after generating begin at these fractions of the remaining progress.
constexpr double kBuilding = 0.2, kChecking = 0.5, kGrowing = 0.8;

/// Each matrix's median norms over the layers that have it.
std::vector<MatrixPatchNorm> mediansOf(const std::vector<LayerRecord>& layers) {
  std::vector<std::string> order;
  std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> norms;
  for (const LayerRecord& layer : layers)
    for (const MatrixPatchNorm& change : layer.matrices) {
      if (norms.find(change.matrix) == norms.end()) order.push_back(change.matrix);
      norms[change.matrix].first.push_back(change.norm);
      norms[change.matrix].second.push_back(change.relative);
    }
  std::vector<MatrixPatchNorm> medians;
  for (const std::string& matrix : order)
    medians.push_back({matrix, quantile(norms[matrix].first, 0.5),
                       quantile(norms[matrix].second, 0.5)});
  return medians;
}

void checkPositions(const ModelSpec& spec, const SharedPatchRequest& request) {
  const auto prompt = static_cast<std::int64_t>(request.prompt.size());
  if (request.last < request.first)
    throw badInput("positions " + std::to_string(request.first) + " to " +
                   std::to_string(request.last) +
                   " run backwards; give the smaller one first");
  if (request.first < 1 || request.first > prompt)
    throw badInput("one patch cannot cover positions " + std::to_string(request.first) +
                   " to " + std::to_string(request.last) + " of a prompt of " +
                   std::to_string(prompt) +
                   " tokens; the first position should lie between 1, so that something "
                   "is absorbed, and " +
                   std::to_string(prompt) + ", the first generated token's position");
  if (request.last >= spec.maxPositions)
    throw badInput("position " + std::to_string(request.last) +
                   " is beyond the model's " + std::to_string(spec.maxPositions) +
                   " positions; give an earlier last position");
}

struct SharedPatchRun {
  std::shared_ptr<const Session> session;
  SharedPatchRequest request;
  GivenRows images;
  std::vector<TokenId> text;  // up to position request.last

  const Transformer& transformer() const { return transformerOf(*session); }
  std::int64_t count() const { return request.last - request.first + 1; }

  void generate(Progress& progress);
  Tensor readWithContext(std::vector<ContextRecord>& contexts, Progress& progress) const;
  Tensor readWithoutContext(std::int64_t tokens, BlockHooks& hooks,
                            SummationOrder order = SummationOrder::Standard) const;
  Tensor forward(std::int64_t tokens, KvCache& cache, BlockHooks& hooks,
                 const RowBatch& batch, const Arithmetic& arithmetic) const;
  Tensor finiteLogits(const Tensor& x) const;
  struct Logits {  ///< [tokens, vocabulary] each
    const Tensor& contextual;
    const Tensor& patched;
    const Tensor& bare;
    const Tensor& audit;
  };
  SharedTokenRecord tokenRecord(std::int64_t row, const Logits& logits) const;
  std::vector<SharedGrowth> growth(const std::vector<ContextRecord>& contexts,
                                   Progress& progress) const;
};

/// Sets `text` to the prompt, cut or greedily continued to position request.last.
void SharedPatchRun::generate(Progress& progress) {
  text = idsOf(request.prompt);
  const auto wanted = static_cast<std::size_t>(request.last) + 1;
  if (text.size() >= wanted) return text.resize(wanted);
  KvCache cache = transformer().makeCache(request.last + 1);
  BlockHooks none;
  std::vector<TokenId> fresh = text;
  while (text.size() < wanted) {
    const double known = static_cast<double>(text.size()) / static_cast<double>(wanted);
    const char* const label = text.size() == request.prompt.size()
                                  ? "Reading the prompt"
                                  : "Generating the tokens";
    progress.report(known, label);
    LabelledProgress unchanged(progress, known, known, label);
    transformer().renew(std::span(text).first(text.size() - fresh.size()),
                        std::ssize(text), cache, transformer().arithmetic(), unchanged,
                        images);
    const Tensor out = transformer().prefill(
        fresh, cache, none, transformer().arithmetic(), unchanged, images);
    const Tensor logits = finiteLogits(out.narrow(0, out.size(0) - 1, 1));
    fresh = {TokenId(logits.argmax(1).item<std::int64_t>())};
    text.push_back(fresh.front());
  }
}

/// @throws Error{Numeric} if a logit is not finite
Tensor SharedPatchRun::finiteLogits(const Tensor& x) const {
  const Arithmetic& arithmetic = transformer().arithmetic();
  Tensor logits = transformer().logits(x, arithmetic);
  if (!allFinite(logits)) throw transformer().notFiniteLogits(x, arithmetic);
  return logits;
}

/// Runs the first `tokens` tokens from request.first on through all layers → resid_post
/// [tokens, width] of the last layer.
Tensor SharedPatchRun::forward(std::int64_t tokens, KvCache& cache, BlockHooks& hooks,
                               const RowBatch& batch,
                               const Arithmetic& arithmetic) const {
  const std::span<const TokenId> ids(text.data() + request.first,
                                     static_cast<std::size_t>(tokens));
  RowBatch whole = batch;
  whole.contextRows = tokens;
  whole.firstPosition = request.first;
  whole.cache = &cache;
  whole.wholeLength = request.last + 1;
  return transformer().forward(transformer().embed(ids, request.first), whole, hooks,
                               arithmetic);
}

Tensor SharedPatchRun::readWithContext(std::vector<ContextRecord>& contexts,
                                       Progress& progress) const {
  const Arithmetic& arithmetic = transformer().arithmetic();
  KvCache cache = transformer().makeCache(request.last + 1);
  BlockHooks none;
  const auto before = std::span(text).first(static_cast<std::size_t>(request.first));
  transformer().prefill(before, cache, none, arithmetic, progress, images);
  transformer().renew(before, request.last + 1, cache, arithmetic, progress, images);
  contexts.assign(
      static_cast<std::size_t>(count()),
      ContextRecord(static_cast<std::size_t>(transformer().spec().layerCount())));
  std::vector<std::unique_ptr<ContextRecorder>> recorders;
  std::vector<BlockHooks*> members;
  for (std::int64_t token = 0; token < count(); ++token) {
    recorders.push_back(std::make_unique<ContextRecorder>(
        token, contexts[static_cast<std::size_t>(token)]));
    members.push_back(recorders.back().get());
  }
  HookChain hooks(members);
  return finiteLogits(forward(count(), cache, hooks, {}, arithmetic));
}

/// Runs the first `tokens` tokens from request.first on at their positions, but without
/// the tokens before them → logits [tokens, vocabulary].
Tensor SharedPatchRun::readWithoutContext(std::int64_t tokens, BlockHooks& hooks,
                                          SummationOrder order) const {
  const Arithmetic arithmetic = transformer().arithmetic().with(order);
  KvCache cache = transformer().makeCache(request.last + 1);
  return transformer().logits(
      forward(tokens, cache, hooks, {.visibleFrom = request.first}, arithmetic),
      arithmetic);
}

std::vector<SharedGrowth> SharedPatchRun::growth(
    const std::vector<ContextRecord>& contexts, Progress& progress) const {
  std::vector<SharedGrowth> rows;
  for (std::int64_t tokens = 1; tokens < count(); tokens *= 2) {
    progress.throwIfStopped();
    progress.report(static_cast<double>(tokens) / static_cast<double>(count()),
                    "Measuring how the patch grows");
    const std::vector<ContextRecord> some(contexts.begin(), contexts.begin() + tokens);
    SharedPatchBuilder builder(some, request.application, Position(request.first));
    readWithoutContext(tokens, builder);
    rows.push_back({tokens, mediansOf(builder.layers())});
  }
  return rows;
}

SharedTokenRecord SharedPatchRun::tokenRecord(std::int64_t row,
                                              const Logits& logits) const {
  const PassLogits own(logits.contextual[row], 2), other(logits.patched[row], 2);
  const Choices best = choicesOf(*session, own);
  const TokenId x = text[static_cast<std::size_t>(request.first + row)];
  return {.position = Position(request.first + row),
          .x = x,
          .text = tokenText(*session, x),
          .contextual = best.front(),
          .patched = choicesOf(*session, other).front(),
          .match = own.hasSameArgmaxAs(other),
          .margin = best.front().logit - best.back().logit,
          .patchedDistance = own.distanceTo(other),
          .bareDistance = own.distanceTo(PassLogits(logits.bare[row], 1)),
          .auditDistance = own.distanceTo(PassLogits(logits.audit[row], 1))};
}

}  // namespace

SharedPatchRecord makeSharedPatch(std::shared_ptr<const Session> session,
                                  SharedPatchRequest request, Progress& progress) {
  checkPositions(session->spec(), request);
  // The patch absorbs the positions before `first`. Each image must lie completely there,
  // because its tokens see each other.
  checkImages(*session, static_cast<std::size_t>(request.first), request.images);
  checkVocabulary(session->spec(), request.prompt, request.images);
  const c10::InferenceMode inference;
  PromptProgress parts(progress, request.images);
  GivenRows images = imageRows(*session, request.images, parts.images);
  SharedPatchRun run{std::move(session), std::move(request), std::move(images), {}};
  PartialProgress generating(parts.rest, 0.0, kGenerating);
  run.generate(generating);
  PartialProgress rest(parts.rest, kGenerating, 1.0);
  std::vector<ContextRecord> contexts;
  PartialProgress reading(rest, 0.0, kBuilding);
  const Tensor contextual = run.readWithContext(contexts, reading);
  SharedPatchBuilder builder(contexts, run.request.application,
                             Position(run.request.first));
  rest.report(kBuilding, "Building the patch");
  rest.throwIfStopped();
  run.readWithoutContext(run.count(), builder);
  rest.report(kChecking, "Checking the patch");
  rest.throwIfStopped();

  SharedWeights weights(builder.patch(), run.request.application);
  BlockHooks none;
  const Tensor patched = run.readWithoutContext(run.count(), weights);
  const Tensor audit =
      run.readWithoutContext(run.count(), weights, SummationOrder::Alternate);
  const Tensor bare = run.readWithoutContext(run.count(), none);

  SharedPatchRecord record;
  record.factors = patchFactors(builder.patch());
  for (std::int64_t row = 0; row < run.count(); ++row)
    record.tokens.push_back(run.tokenRecord(row, {contextual, patched, bare, audit}));
  record.layers = builder.layers();
  PartialProgress growing(rest, kGrowing, 1.0);
  record.growth = run.growth(contexts, growing);
  record.growth.push_back({run.count(), mediansOf(builder.layers())});
  return record;
}

}  // namespace equipatch
