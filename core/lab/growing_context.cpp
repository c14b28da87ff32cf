#include "core/lab/growing_context.h"

#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/model/transformer.h"
#include "core/patch/hooks/patch_builder.h"

namespace equipatch {
namespace {

/// The query with the first tokens of its context, and the patch that stands for them.
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
  Tensor m_embedded;
};

bool isFirst(MatrixId matrix) {
  return matrix.role != MatrixRole::Down;
}

/// ‖u wᵀ − u' w'ᵀ‖²_F, as (u − u') wᵀ + u' (w − w')ᵀ so that nothing cancels.
double squaredDistance(const RankOne& now, const RankOne& before) {
  const Vector du = now.u - before.u, dw = now.w - before.w;
  return du.squaredNorm() * now.w.squaredNorm() +
         before.u.squaredNorm() * dw.squaredNorm() +
         2.0 * du.dot(before.u) * now.w.dot(dw);
}

/// A matrix that one of them leaves alone has no change there.
double distance(const LayerPatch& now, const LayerPatch& before) {
  double sum = 0.0;
  for (const MatrixPatch& each : now.matrices) {
    if (!isFirst(each.matrix)) continue;
    const RankOne* old = before.find(each.matrix);
    sum += old ? squaredDistance(each.change, *old) : std::pow(each.change.norm(), 2);
  }
  for (const MatrixPatch& each : before.matrices)
    if (isFirst(each.matrix) && !now.find(each.matrix))
      sum += std::pow(each.change.norm(), 2);
  return std::sqrt(std::max(sum, 0.0));
}

}  // namespace

ContextGrowth growContext(const Transformer& transformer, std::span<const TokenId> ids,
                          const std::function<void(std::size_t token)>& onToken) {
  if (ids.size() < 2)
    throw badInput("the prompt has " + std::to_string(ids.size()) +
                   " tokens; expected at least two, a context and the token that asks");
  const auto context = ids.first(ids.size() - 1);
  KvCache cache = transformer.makeCache(static_cast<std::int64_t>(ids.size()));
  BlockHooks none;
  SilentProgress silent;
  transformer.prefill(context, cache, none, transformer.arithmetic(), silent);
  const Query query(transformer, ids.back(), cache);
  Patch before = query.patchFor(0);
  ContextGrowth growth;
  growth.steps.resize(before.size());
  for (std::size_t token = 0; token < context.size(); ++token) {
    onToken(token);
    Patch now = query.patchFor(static_cast<std::int64_t>(token) + 1);
    for (std::size_t layer = 0; layer < now.size(); ++layer)
      growth.steps[layer].push_back(distance(now[layer], before[layer]));
    before = std::move(now);
  }
  return growth;
}

}  // namespace equipatch
