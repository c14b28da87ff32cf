// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/transformer.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/checkpoint/memory_estimate.h"
#include "core/kernel/threads.h"
#include "core/model/norm.h"
#include "core/model/not_finite.h"

namespace equipatch {

std::unique_ptr<Transformer> Transformer::load(const Checkpoint& checkpoint,
                                               const Arithmetic& arithmetic,
                                               Progress& progress, WeightPlace place) {
  return std::unique_ptr<Transformer>(
      new Transformer(checkpoint.spec(), arithmetic,
                      Weights::load(checkpoint, arithmetic, progress, place)));
}

Transformer::Transformer(ModelSpec spec, Arithmetic arithmetic, Weights weights)
    : m_spec(std::move(spec)), m_arithmetic(arithmetic), m_weights(std::move(weights)) {
  for (std::int64_t layer = 0; layer < m_spec.layerCount(); ++layer)
    m_blocks.emplace_back(m_spec, LayerIndex(layer),
                          m_weights.layers[static_cast<std::size_t>(layer)],
                          m_arithmetic);
}

std::vector<TokenGroup> GivenRows::groups() const {
  std::vector<TokenGroup> groups;
  for (const Part& part : parts) {
    const std::int64_t count = part.rows.size(0);
    if (!groups.empty() && groups.back().end() == part.first)
      groups.back().count += count;
    else
      groups.push_back({part.first, count});
  }
  return groups;
}

EmbeddedRows Transformer::embed(std::span<const TokenId> ids, std::int64_t first,
                                const GivenRows& given) const {
  const auto count = static_cast<std::int64_t>(ids.size());
  const auto isGiven = [&](std::int64_t position) {
    return std::ranges::any_of(given.parts, [&](const GivenRows::Part& part) {
      return part.first <= position && position < part.end();
    });
  };
  std::vector<std::int64_t> rows;
  for (TokenId id : ids) {
    if (isGiven(first + std::ssize(rows))) {
      rows.push_back(0);  // replaced below
      continue;
    }
    if (id.value < 0 || id.value >= m_spec.vocabulary)
      throw badInput("token id " + std::to_string(id.value) +
                     " is outside the model's vocabulary of " +
                     std::to_string(m_spec.vocabulary) + " tokens");
    rows.push_back(id.value);
  }
  const Tensor index = at::tensor(rows, at::kLong).to(m_arithmetic.device());
  Tensor x = m_weights.embed.index_select(0, index).to(m_arithmetic.wide());
  if (m_spec.embeddingScale != 1.0)
    x = m_arithmetic.round(x * (m_spec.roundEmbeddingScale
                                    ? m_arithmetic.round(m_spec.embeddingScale)
                                    : m_spec.embeddingScale));
  for (const GivenRows::Part& part : given.parts) {
    const std::int64_t begin = std::max(part.first, first);
    const std::int64_t end = std::min(part.end(), first + count);
    if (begin >= end) continue;
    x.narrow(0, begin - first, end - begin)
        .copy_(part.rows.narrow(0, begin - part.first, end - begin));
  }
  if (!m_weights.positions.defined()) return {x, perLayerEmbeddings(x, rows)};
  if (first < 0 || first + count > m_weights.positions.size(0))
    throw badInput("position " + std::to_string(first + count - 1) + " is beyond the " +
                   std::to_string(m_weights.positions.size(0)) +
                   " positions that the model has learned");
  return {m_arithmetic.round(
              x + m_weights.positions.narrow(0, first, count).to(m_arithmetic.wide())),
          {}};
}

/// (e + norm(W_per_layer x / √width)) / √2 [rows, layers, perLayerWidth], where x is a
/// token's embedding and e its row of `per_layer_embed` times √perLayerWidth.
Tensor Transformer::perLayerEmbeddings(const Tensor& x,
                                       const std::vector<std::int64_t>& ids) const {
  if (m_spec.perLayerWidth == 0) return {};
  const Arithmetic& a = m_arithmetic;
  const std::vector<std::int64_t> shape{x.size(0), m_spec.layerCount(),
                                        m_spec.perLayerWidth};
  const double tableScale = std::sqrt(static_cast<double>(m_spec.perLayerWidth));
  const double inputScale = 1.0 / std::sqrt(static_cast<double>(m_spec.width));
  Tensor table = m_weights.per_layer_embed.index_select(0, at::tensor(ids, at::kLong))
                     .to(a.device(), a.wide());
  a.roundInPlace(table);
  table = a.round(table * a.round(tableScale)).view(shape);
  Tensor projected = a.product(x, m_weights.W_per_layer);
  a.roundInPlace(projected);
  projected = a.round(projected * a.round(inputScale)).view(shape);
  const Tensor sum =
      a.round(norm(projected, m_weights.per_layer_norm, m_spec.norm, a) + table);
  return a.round(sum * a.round(std::sqrt(0.5)));
}

EmbeddedRows Transformer::embedRows(TokenId id, std::int64_t position,
                                    std::int64_t rows) const {
  const auto [x, perLayer] = embed(std::vector<TokenId>{id}, position);
  return {x.repeat({rows, 1}),
          perLayer.defined() ? perLayer.repeat({rows, 1, 1}) : Tensor()};
}

Tensor Transformer::forward(EmbeddedRows rows, const RowBatch& batch, BlockHooks& hooks,
                            const Arithmetic& arithmetic) const {
  const bool sharesKeys = m_spec.sharesKeys();
  if (!sharesKeys && !rows.perLayer.defined())
    return throughBlocks(std::move(rows.x), batch, hooks, arithmetic);
  std::vector<RowKeys> rowKeys(m_blocks.size());
  RowBatch whole = batch;
  whole.perLayer = rows.perLayer;
  if (sharesKeys) whole.rowKeys = &rowKeys;
  return throughBlocks(std::move(rows.x), whole, hooks, arithmetic);
}

Tensor Transformer::throughBlocks(Tensor x, const RowBatch& batch, BlockHooks& hooks,
                                  const Arithmetic& arithmetic) const {
  std::optional<NoLibraryThreads> alone;
  if (batch.rows() <= Arithmetic::kFewRows) alone.emplace();
  for (std::int64_t layer = 0; layer < m_spec.layerCount(); ++layer) {
    RecurrentMemory before;
    if (batch.contextRows > 0) before = batch.cache->recurrent(LayerIndex(layer));
    Tensor out =
        m_blocks[static_cast<std::size_t>(layer)].forward(x, batch, hooks, arithmetic);
    if (batch.contextRows > 0 && !allFinite(out.narrow(0, 0, batch.contextRows))) {
      batch.cache->recurrent(LayerIndex(layer)) = std::move(before);
      m_weights.files.throwIfLost();
      throw notFiniteIn(LayerIndex(layer), x, batch, arithmetic);
    }
    x = std::move(out);
    if (batch.progress) batch.progress->passed(layer + 1, m_spec.layerCount());
  }
  m_weights.files.throwIfLost();
  if (batch.contextRows > 0)
    batch.cache->setLength(batch.firstPosition + batch.contextRows);
  return x;
}

/// Computes the block again to find the part whose output is not finite.
/// @param x the block's input
/// @param batch its cache holds the layer's recurrent memory from before these rows
Error Transformer::notFiniteIn(LayerIndex layer, const Tensor& x, RowBatch batch,
                               const Arithmetic& arithmetic) const {
  batch.reducedRows = 0;
  const Tensor context = x.narrow(0, 0, batch.contextRows);
  if (batch.perLayer.defined())
    batch.perLayer = batch.perLayer.narrow(0, 0, batch.contextRows);
  const std::string ofToken = "embedding of a token at position " +
                              std::to_string(batch.firstPosition) +
                              (batch.contextRows > 1 ? " or later" : "");
  if (!allFinite(context))  // only in layer 0: later inputs have been checked
    return notFinite({"the " + ofToken,
                      {{"embed", m_weights.embed}, {"positions", m_weights.positions}}},
                     arithmetic);
  if (batch.perLayer.defined() && !allFinite(batch.perLayer))
    return notFinite({"the per-layer " + ofToken,
                      {{"W_per_layer", m_weights.W_per_layer.weight},
                       {"per_layer_norm", m_weights.per_layer_norm.m},
                       {"per_layer_embed", m_weights.per_layer_embed}}},
                     arithmetic);
  NotFiniteFinder finder;
  block(layer).forward(context, batch, finder, arithmetic);
  NotFinitePart part = finder.part();
  // The finder sees neither changes by the run's hooks nor parts after resid_post.
  if (part.name.empty())
    part = {"layer " + std::to_string(layer.value) + "'s output",
            parametersAfterResidPost(
                m_weights.layers[static_cast<std::size_t>(layer.value)])};
  return notFinite(part, arithmetic);
}

Error Transformer::notFiniteLogits(const Tensor& x, const Arithmetic& arithmetic) const {
  const Tensor last = finalNorm(x, arithmetic);
  if (!allFinite(last))
    return notFinite({"the final norm",
                      {{"final_norm", m_weights.final_norm.m},
                       {"final_norm.bias", m_weights.final_norm.bias}}},
                     arithmetic);
  return notFinite(
      {"lm_head's product (the logits)",
       {{"its matrix", m_weights.head.weight}, {"its bias", m_weights.head.bias}}},
      arithmetic);
}

Tensor Transformer::finalNorm(const Tensor& x, const Arithmetic& arithmetic) const {
  if (!m_spec.finalNorm) return x;
  return norm(x, m_weights.final_norm, m_spec.norm, arithmetic);
}

Tensor Transformer::logits(const Tensor& x, const Arithmetic& arithmetic) const {
  Tensor y = arithmetic.product(finalNorm(x, arithmetic), m_weights.head);
  m_weights.files.throwIfLost();
  if (m_spec.logitScale != 1.0) y = y * m_spec.logitScale;
  if (!m_spec.logitSoftcap) return y;
  return at::tanh(infinityAsNaN(y) / *m_spec.logitSoftcap) * *m_spec.logitSoftcap;
}

KvCache Transformer::makeCache(std::int64_t capacity) const {
  return makeCache(capacity, m_arithmetic);
}

KvCache Transformer::makeCache(std::int64_t capacity, const Arithmetic& arithmetic,
                               HeldInputs held) const {
  return KvCache(m_spec, capacity, arithmetic, held);
}

namespace {

/// `end`, moved so that the chunk [first, end) splits no group.
std::int64_t wholeGroups(const std::vector<TokenGroup>& groups, std::int64_t first,
                         std::int64_t end) {
  for (const TokenGroup& group : groups)
    if (group.first < end && end < group.end())
      return group.first > first ? group.first : group.end();
  return end;
}

std::vector<TokenGroup> groupsIn(const std::vector<TokenGroup>& groups,
                                 std::int64_t first, std::int64_t end) {
  std::vector<TokenGroup> found;
  for (const TokenGroup& group : groups)
    if (group.first >= first && group.end() <= end) found.push_back(group);
  return found;
}

}  // namespace

Tensor Transformer::prefill(std::span<const TokenId> ids, KvCache& cache,
                            BlockHooks& hooks, const Arithmetic& arithmetic,
                            Progress& progress, const GivenRows& given) const {
  return read(ids, cache.length() + static_cast<std::int64_t>(ids.size()), cache, hooks,
              arithmetic, progress, given);
}

bool Transformer::sharesCache(std::int64_t a, std::int64_t b) const {
  return std::ranges::all_of(m_spec.layers, [&](const LayerSpec& layer) {
    return !layer.rope || rotatesAlike(*layer.rope, a, b);
  });
}

void Transformer::renew(std::span<const TokenId> context, std::int64_t length,
                        KvCache& cache, const Arithmetic& arithmetic, Progress& progress,
                        const GivenRows& given) const {
  if (sharesCache(static_cast<std::int64_t>(context.size()), length)) return;
  cache.setLength(0);
  BlockHooks none;
  read(context, length, cache, none, arithmetic, progress, given);
}

/// @param wholeLength length of the text that contains the ids
Tensor Transformer::read(std::span<const TokenId> ids, std::int64_t wholeLength,
                         KvCache& cache, BlockHooks& hooks, const Arithmetic& arithmetic,
                         Progress& progress, const GivenRows& given) const {
  const auto total = static_cast<std::int64_t>(ids.size());
  const std::int64_t start = cache.length();
  // Elements of resid_pre. For shorter prompts, keeping freed memory costs more time than
  // it saves, because the memory is released at the end.
  constexpr std::int64_t kElementsWorthKeeping = 1 << 18;
  std::optional<MallocRetention> kept;
  if (total >= kElementsWorthKeeping / m_spec.width) kept.emplace();
  const std::int64_t rows =
      promptRows(m_spec, start + total, arithmetic.mostPromptRows());
  const std::vector<TokenGroup> groups = given.groups();
  Tensor x;
  for (std::int64_t first = 0, count = 0; first < total; first += count) {
    progress.throwIfStopped();
    progress.report(static_cast<double>(first) / static_cast<double>(total),
                    "Reading the prompt");
    const std::int64_t end =
        wholeGroups(groups, start + first, start + std::min(first + rows, total));
    count = end - start - first;
    PartialProgress part(progress, double(first) / double(total),
                         double(first + count) / double(total));
    LayerProgress layers(part, "Reading the prompt");
    const RowBatch batch{.contextRows = count,
                         .firstPosition = cache.length(),
                         .cache = &cache,
                         .wholeLength = wholeLength,
                         .groups = groupsIn(groups, start + first, end),
                         .progress = &layers};
    const auto chunk =
        ids.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    x = forward(embed(chunk, cache.length(), given), batch, hooks, arithmetic);
  }
  return x;
}

}  // namespace equipatch
