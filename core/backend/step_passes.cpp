// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/step_passes.h"

#include <utility>
#include <vector>

#include "core/patch/hooks/patch_application.h"
#include "core/patch/host_vector.h"

namespace equipatch {
namespace {

ContextRecord emptyRecord(const Transformer& transformer) {
  return ContextRecord(static_cast<std::size_t>(transformer.spec().layerCount()));
}

RowBatch contextBatch(KvCache& cache, std::int64_t reducedRows, LayerProgress* progress,
                      const KeptContext& kept = {}) {
  return {.contextRows = 1,
          .reducedRows = reducedRows,
          .firstPosition = cache.length(),
          .cache = &cache,
          .kept = kept,
          .progress = progress};
}

/// Runs token x as a single reduced row, which does not see the absorbed context.
class Reduced {
 public:
  /// @param cache as the contextual pass of x left it
  Reduced(const Transformer& transformer, TokenId x, KvCache& cache,
          const StepSetup& setup)
      : m_transformer(transformer),
        m_batch{.reducedRows = 1,
                .firstPosition = cache.length() - 1,
                .cache = &cache,
                .kept = setup.kept,
                .progress = setup.progress},
        m_embedded(transformer.embedRows(x, m_batch.firstPosition, 1)) {}

  /// Sends the row through all layers → logits [vocabulary].
  Tensor run(BlockHooks& hooks, SummationOrder order = SummationOrder::Standard) const {
    const Arithmetic arithmetic = m_transformer.arithmetic().with(order);
    return m_transformer.logits(forward(hooks, arithmetic), arithmetic).select(0, 0);
  }
  Tensor forward(BlockHooks& hooks, const Arithmetic& arithmetic) const {
    return m_transformer.forward(m_embedded, m_batch, hooks, arithmetic);
  }

 private:
  const Transformer& m_transformer;
  RowBatch m_batch;
  EmbeddedRows m_embedded;
};

void recordErrors(const HiddenErrorProbe& probe, PassResults& results) {
  for (std::size_t layer = 0; layer < results.diagnostics.size(); ++layer)
    results.diagnostics[layer].record.hiddenError = probe.errors()[layer];
}

/// Frees what the patch no longer needs after each layer; see StepSetup::keepPatch.
class Release final : public BlockHooks {
 public:
  Release(ContextRecord& context, PatchBuilder& builder)
      : m_context(context), m_builder(builder) {}

  void hookResidPost(const HookedBlock& block, BlockSites&) override {
    ContextSites& sites = m_context.at(static_cast<std::size_t>(block.layer.value));
    sites.inProjections = {};
    sites.downInputs = {};
    m_builder.dropMatrices();
  }

 private:
  ContextRecord& m_context;
  PatchBuilder& m_builder;
};

PassResults lockstep(const Transformer& transformer, TokenId x, KvCache& cache,
                     const StepSetup& setup) {
  // Rows: contextual, patched, bare if requested, and in the open loop the open-loop row,
  // which has no logits.
  constexpr std::int64_t kContextual = 0, kPatched = 1, kBare = 2;
  const bool open = setup.patch.loop == Loop::Open;
  const std::int64_t passes = setup.bare ? 3 : 2;
  const std::int64_t rows = passes + (open ? 1 : 0);

  PassResults results;
  results.context = emptyRecord(transformer);
  const auto inputs =
      PatchBuilder::ownActivations(setup.patch) ? DownInputs::Omit : DownInputs::Keep;
  ContextRecorder recorder(kContextual, results.context, inputs);
  PatchBuilder builder(results.context,
                       {.source = open ? passes : kPatched, .patched = kPatched},
                       setup.patch);
  HiddenErrorProbe probe(kPatched, results.context);
  Release release(results.context, builder);
  std::vector<BlockHooks*> members{&recorder, &builder, &probe};
  if (!setup.needsPatch()) members.push_back(&release);
  HookChain hooks(std::move(members));

  const Arithmetic& arithmetic = transformer.arithmetic();
  const Tensor out = transformer.forward(
      transformer.embedRows(x, cache.length(), rows),
      contextBatch(cache, rows - 1, setup.progress, setup.kept), hooks, arithmetic);
  const Tensor logits = transformer.logits(out.narrow(0, 0, passes), arithmetic);
  results.contextual = logits.select(0, kContextual);
  results.patched = logits.select(0, kPatched);
  if (setup.bare) results.bare = logits.select(0, kBare);
  results.patch = builder.takePatch();
  results.diagnostics = builder.takeDiagnostics();
  recordErrors(probe, results);
  return results;
}

/// Runs the patched row alone with `patch`; replaces the patched logits and the hidden
/// errors in `results`.
void runPatched(const Reduced& reduced, const Patch& patch, const StepSetup& setup,
                PassResults& results) {
  GivenPatch given(patch, 0, setup.patch.application);
  HiddenErrorProbe probe(0, results.context);
  HookChain hooks({&given, &probe});
  results.patched = reduced.run(hooks);
  recordErrors(probe, results);
}

PassResults separate(const Transformer& transformer, TokenId x, KvCache& cache,
                     const StepSetup& setup) {
  const Arithmetic& arithmetic = transformer.arithmetic();
  PassResults results;
  results.context = emptyRecord(transformer);
  ContextRecorder recorder(0, results.context);
  const Tensor out =
      transformer.forward(transformer.embedRows(x, cache.length(), 1),
                          contextBatch(cache, 0, setup.progress), recorder, arithmetic);
  results.contextual = transformer.logits(out, arithmetic).select(0, 0);

  const Reduced reduced(transformer, x, cache, setup);
  const bool open = setup.patch.loop == Loop::Open;
  PatchBuilder builder(results.context, {.source = 0, .patched = open ? -1 : 0},
                       setup.patch);
  reduced.forward(builder, arithmetic);
  results.patch = builder.takePatch();
  results.diagnostics = builder.takeDiagnostics();
  runPatched(reduced, results.patch, setup, results);

  BlockHooks none;
  if (setup.bare) results.bare = reduced.run(none);
  return results;
}

}  // namespace

std::int64_t StepSetup::forwards() const {
  const std::int64_t passes =
      execution == Execution::Lockstep ? 1 : 3 + std::int64_t{bare};
  return passes + std::int64_t{!strength.whole()} + std::int64_t{audit};
}

StepSetup stepSetup(const RunRequest& request, std::int64_t position,
                    const Arithmetic& arithmetic) {
  const auto prompt = static_cast<std::int64_t>(request.prompt.size());
  return {.kept = {request.absorbed.keptBefore(position, prompt), arithmetic.device()},
          .patch = request.patch,
          .execution = request.execution,
          .strength = request.strength,
          .bare = request.bare,
          .audit = request.audit,
          .keepPatch = request.keepFactors};
}

PassResults runPasses(const Transformer& transformer, TokenId x, KvCache& cache,
                      const StepSetup& setup) {
  PassResults results = setup.execution == Execution::Lockstep
                            ? lockstep(transformer, x, cache, setup)
                            : separate(transformer, x, cache, setup);
  const Reduced reduced(transformer, x, cache, setup);
  Patch applied;
  if (!setup.strength.whole()) {
    applied = appliedPatch(transformer, results.patch, setup.strength, setup);
    runPatched(reduced, applied, setup, results);
  }
  if (setup.audit) {
    GivenPatch given(setup.strength.whole() ? results.patch : applied, 0,
                     setup.patch.application);
    results.audit = reduced.run(given, SummationOrder::Alternate);
  }
  return results;
}

Patch appliedPatch(const Transformer& transformer, const Patch& whole,
                   const PatchStrength& strength, const StepSetup& setup) {
  Patch patch = strengthened(whole, transformer.spec(), transformer.weights(), strength);
  return setup.patch.application == Application::Materialised
             ? storedPatch(std::move(patch), transformer.spec().norm,
                           transformer.arithmetic())
             : patch;
}

Error notFiniteContext(const Transformer& transformer, const PassResults& results) {
  const Arithmetic& arithmetic = transformer.arithmetic();
  const auto options = at::TensorOptions(arithmetic.wide()).device(arithmetic.device());
  const Tensor x = toTensor(results.context.back().resid_post, options);
  return transformer.notFiniteLogits(x.unsqueeze(0), arithmetic);
}

Tensor runGivenPatch(const Transformer& transformer, TokenId x, KvCache& cache,
                     const StepSetup& setup, const Patch& patch) {
  GivenPatch given(patch, 0, setup.patch.application);
  return Reduced(transformer, x, cache, setup).run(given);
}

NoiseResult runNoiseReference(const Transformer& transformer, TokenId x,
                              NoiseReference& reference, const ContextRecord& context,
                              LayerProgress* progress) {
  HiddenErrorProbe probe(0, context);
  const Tensor out = transformer.forward(
      transformer.embedRows(x, reference.cache.length(), 1),
      contextBatch(reference.cache, 0, progress), probe, reference.arithmetic);
  return {transformer.logits(out, reference.arithmetic).select(0, 0), probe.errors()};
}

}  // namespace equipatch
