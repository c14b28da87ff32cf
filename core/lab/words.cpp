// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/words.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/strings.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/model_cache.h"
#include "core/lab/experiment.h"
#include "core/model/transformer.h"
#include "core/patch/hooks/patch_builder.h"
#include "core/record/quantile.h"
#include "core/text/tokenizer.h"
#include "core/text/visible_text.h"
#include "core/toy/statistics.h"

namespace equipatch {
namespace {

/// Computes the query's patch for the first tokens of its context.
class Query {
 public:
  Query(const Transformer& transformer, TokenId id, KvCache& cache)
      : m_transformer(transformer),
        m_cache(cache),
        m_embedded(transformer.embedRows(id, cache.length(), 1)) {}

  Patch patchFor(std::int64_t tokens) const {
    ContextRecord record(static_cast<std::size_t>(m_transformer.spec().layerCount()));
    ContextRecorder recorder(0, record);
    std::vector<std::int64_t> kept(static_cast<std::size_t>(tokens));
    std::iota(kept.begin(), kept.end(), 0);
    forward(KeptContext(std::move(kept), m_transformer.arithmetic().device()), recorder);
    PatchBuilder builder(record, {.source = 0, .patched = 0}, {});
    forward({}, builder);
    return builder.takePatch();
  }

 private:
  void forward(const KeptContext& kept, BlockHooks& hooks) const {
    m_transformer.forward(m_embedded,
                          {.reducedRows = 1,
                           .firstPosition = m_cache.length(),
                           .cache = &m_cache,
                           .kept = kept},
                          hooks, m_transformer.arithmetic());
  }

  const Transformer& m_transformer;
  KvCache& m_cache;
  EmbeddedRows m_embedded;
};

bool isInputProjection(MatrixId matrix) {
  return matrix.role != MatrixRole::Down;
}

/// ‖u wᵀ − u' w'ᵀ‖²_F, computed as ‖(u − u') wᵀ + u' (w − w')ᵀ‖²_F to avoid cancellation.
double squaredDistance(const RankOne& now, const RankOne& before) {
  const Vector du = now.u - before.u, dw = now.w - before.w;
  return du.squaredNorm() * now.w.squaredNorm() +
         before.u.squaredNorm() * dw.squaredNorm() +
         2.0 * du.dot(before.u) * now.w.dot(dw);
}

/// ‖ΔW_now − ΔW_before‖_F over all input projections. If a patch lacks a matrix, the
/// matrix's ΔW is 0.
double distance(const LayerPatch& now, const LayerPatch& before) {
  double sum = 0.0;
  for (const MatrixPatch& each : now.matrices) {
    if (!isInputProjection(each.matrix)) continue;
    const RankOne* old = before.find(each.matrix);
    sum += old ? squaredDistance(each.change, *old) : std::pow(each.change.norm(), 2);
  }
  for (const MatrixPatch& each : before.matrices)
    if (isInputProjection(each.matrix) && !now.find(each.matrix))
      sum += std::pow(each.change.norm(), 2);
  return std::sqrt(std::max(sum, 0.0));
}

/// For each token, the square root of the sum of squares over the layers.
std::vector<double> overLayers(const ContextGrowth& growth) {
  std::vector<double> sums(growth.changes.front().size());
  for (const std::vector<double>& layer : growth.changes)
    for (std::size_t token = 0; token < layer.size(); ++token)
      sums[token] += layer[token] * layer[token];
  for (double& sum : sums) sum = std::sqrt(sum);
  return sums;
}

void plotGrowth(const ContextGrowth& growth, const std::vector<std::string>& words,
                Notebook& book) {
  const LabAxis tokens{.label = "token of the context", .ticks = words};
  std::vector<double> flat;
  for (const std::vector<double>& layer : growth.changes)
    flat.insert(flat.end(), layer.begin(), layer.end());
  const std::vector<double> all = overLayers(growth);
  book.plot({.title = "Change of ΔW by each token",
             .x = tokens,
             .y = {"‖change of ΔW‖, all layers"},
             .curves = {{"all layers", toy::integersFrom(0, all.size()), all, {}}}});
  book.plot({.title = "Change of ΔW by token and layer",
             .x = tokens,
             .y = {"layer"},
             .map = LabMap{.label = "‖change of ΔW‖",
                           .scale = LabScale::Logarithmic,
                           .x = toy::integersFrom(0, words.size()),
                           .y = toy::integersFrom(0, growth.changes.size()),
                           .values = flat}});
  const std::size_t most = placeOfLargest(all);
  book.addNote("The token that changes ΔW most is " + inQuotes(words[most]) + ".");
  book.addScalar({"largest change of ΔW by one token", all[most], "", {}});
  book.addScalar({"change of ΔW by the last token", all.back(), "", {}});
}

void runWords(const LabSettings& settings, Notebook& book) {
  const c10::InferenceMode inference;
  const auto folder = resolveModel(settings.text("model"), ModelPlaces::ofThisUser());
  book.advance(0.0, "Loading the model");
  const Checkpoint checkpoint = Checkpoint::open(folder);
  PartialProgress loading(book.progress(), 0.0, 0.3), reading(book.progress(), 0.3, 0.5);
  const auto tokenizer = Tokenizer::open(folder, loading);
  const auto transformer =
      Transformer::load(checkpoint, Arithmetic(dtypeOf(settings), at::kCPU), loading);
  std::vector<TokenId> ids;
  std::vector<std::string> words;
  const std::string& prompt = settings.text("prompt");
  for (const Token& token :
       tokenizer->encode(prompt, SpecialTokens::Add, book.stopToken())) {
    ids.push_back(token.id);
    words.push_back(visibleText(token, prompt));
  }
  if (!words.empty()) words.pop_back();  // the query
  const auto grow = [&](std::size_t token) {
    const double share = static_cast<double>(token) / static_cast<double>(words.size());
    book.advance(0.5 + 0.5 * share, "Growing the context");
  };
  const auto growth = growContext(*transformer, ids, grow, {.progress = &reading});
  plotGrowth(growth, words, book);
}

}  // namespace

ContextGrowth growContext(const Transformer& transformer, std::span<const TokenId> ids,
                          const std::function<void(std::size_t token)>& onToken,
                          const GrowingPart& part) {
  if (ids.size() < 2)
    throw badInput("the prompt has " + countText(ids.size(), "token") +
                   "; expected at least two, a context and a query");
  const std::int64_t positions = transformer.spec().maxPositions;
  if (std::ssize(ids) > positions)
    throw badInput("the prompt has " + countText(ids.size(), "token") +
                   ", the model has only " + std::to_string(positions) +
                   " positions; shorten the prompt");
  const auto context = ids.first(ids.size() - 1);
  if (part.first > context.size())
    throw badInput("the growing part begins at token " + std::to_string(part.first) +
                   ", but the context has " + std::to_string(context.size()));
  KvCache cache = transformer.makeCache(static_cast<std::int64_t>(ids.size()));
  BlockHooks none;
  SilentProgress silent;
  Progress& progress = part.progress ? *part.progress : silent;
  const GivenRows images = part.images ? *part.images : GivenRows();
  const Arithmetic& arithmetic = transformer.arithmetic();
  transformer.prefill(context, cache, none, arithmetic, progress, images);
  transformer.renew(context, std::ssize(ids), cache, arithmetic, progress, images);
  const Query query(transformer, ids.back(), cache);
  Patch before = query.patchFor(static_cast<std::int64_t>(part.first));
  ContextGrowth growth;
  growth.changes.resize(before.size());
  const std::size_t end = std::min(part.end, context.size());
  for (std::size_t token = part.first; token < end; ++token) {
    onToken(token);
    Patch now = query.patchFor(static_cast<std::int64_t>(token) + 1);
    for (std::size_t layer = 0; layer < now.size(); ++layer)
      growth.changes[layer].push_back(distance(now[layer], before[layer]));
    before = std::move(now);
  }
  return growth;
}

Experiment wordsExperiment() {
  return {
      .name = "words",
      .title = "Which words teach a language model",
      .claim =
          "On a language model, each token of a prompt changes the last token's ΔW by a "
          "different amount, in each layer (not in the papers).",
      .settings = {modelSetting("bundled"),
                   textSetting(
                       "prompt", "its last token is the query",
                       "Once upon a time there was a little girl named Lily. She had "
                       "a red ball. Lily"),
                   dtypeSetting()},
      .run = runWords};
}

}  // namespace equipatch
