#include "core/run/step_passes.h"

#include "core/patch/patch_application.h"
#include "core/patch/patch_strength.h"

namespace equipatch {
namespace {

ContextRecord emptyRecord(const Transformer& transformer) {
  return ContextRecord(static_cast<std::size_t>(transformer.spec().layerCount()));
}

RowBatch contextBatch(KvCache& cache, std::int64_t loneRows) {
  return {.contextRows = 1,
          .loneRows = loneRows,
          .firstPosition = cache.length(),
          .cache = &cache};
}

/// A single context-free row through all blocks → logits [vocabulary].
Tensor alone(const Transformer& transformer, const Tensor& embedded, BlockPolicy& policy,
             SummationOrder order = SummationOrder::Standard) {
  const Arithmetic arithmetic = transformer.arithmetic().with(order);
  const RowBatch batch{.loneRows = 1};
  const Tensor out = transformer.forward(embedded, batch, policy, arithmetic);
  return transformer.logits(out, arithmetic).select(0, 0);
}

PassResults lockstep(const Transformer& transformer, const Tensor& embedded,
                     KvCache& cache, const StepSetup& setup) {
  // Rows: contextual, patched, bare if asked, and for the open loop the reduced row,
  // which only gives v and z.
  constexpr std::int64_t kContextual = 0, kPatched = 1, kBare = 2;
  const bool open = setup.patch.loop == Loop::Open;
  const std::int64_t passes = setup.bare ? 3 : 2;
  const std::int64_t rows = passes + (open ? 1 : 0);

  PassResults results;
  results.context = emptyRecord(transformer);
  ContextRecorder recorder(kContextual, results.context);
  PatchBuilder builder(results.context,
                       {.source = open ? passes : kPatched, .patched = kPatched},
                       setup.patch);
  HiddenErrorProbe probe(kPatched, results.context);
  PolicyChain policy({&recorder, &builder, &probe});

  const Arithmetic& arithmetic = transformer.arithmetic();
  const Tensor out = transformer.forward(
      embedded.repeat({rows, 1}), contextBatch(cache, rows - 1), policy, arithmetic);
  const Tensor logits = transformer.logits(out.narrow(0, 0, passes), arithmetic);
  results.contextual = logits.select(0, kContextual);
  results.patched = logits.select(0, kPatched);
  if (setup.bare) results.bare = logits.select(0, kBare);
  results.patch = builder.takePatch();
  results.diagnostics = builder.diagnostics();
  results.hiddenErrors = probe.errors();
  return results;
}

/// Runs the patched model alone with `patch` in place of what was there.
void runPatched(const Transformer& transformer, const Tensor& embedded,
                const Patch& patch, const StepSetup& setup, PassResults& results) {
  GivenPatch given(patch, 0, setup.patch.application);
  HiddenErrorProbe probe(0, results.context);
  PolicyChain policy({&given, &probe});
  results.patched = alone(transformer, embedded, policy);
  results.hiddenErrors = probe.errors();
}

PassResults separate(const Transformer& transformer, const Tensor& embedded,
                     KvCache& cache, const StepSetup& setup) {
  const Arithmetic& arithmetic = transformer.arithmetic();
  PassResults results;
  results.context = emptyRecord(transformer);
  ContextRecorder recorder(0, results.context);
  const Tensor out =
      transformer.forward(embedded, contextBatch(cache, 0), recorder, arithmetic);
  results.contextual = transformer.logits(out, arithmetic).select(0, 0);

  const bool open = setup.patch.loop == Loop::Open;
  PatchBuilder builder(results.context, {.source = 0, .patched = open ? -1 : 0},
                       setup.patch);
  transformer.forward(embedded, {.loneRows = 1}, builder, arithmetic);
  results.patch = builder.takePatch();
  results.diagnostics = builder.diagnostics();
  runPatched(transformer, embedded, results.patch, setup, results);

  BlockPolicy none;
  if (setup.bare) results.bare = alone(transformer, embedded, none);
  return results;
}

}  // namespace

PassResults runPasses(const Transformer& transformer, TokenId x, KvCache& cache,
                      const StepSetup& setup) {
  const Tensor embedded = transformer.embedRows(x, cache.length(), 1);
  PassResults results = setup.execution == Execution::Lockstep
                            ? lockstep(transformer, embedded, cache, setup)
                            : separate(transformer, embedded, cache, setup);
  Patch applied;
  if (!setup.strength.whole()) {
    applied = strengthened(results.patch, transformer.weights(), setup.strength);
    runPatched(transformer, embedded, applied, setup, results);
  }
  if (setup.audit) {
    GivenPatch given(setup.strength.whole() ? results.patch : applied, 0,
                     setup.patch.application);
    results.audit = alone(transformer, embedded, given, SummationOrder::Alternate);
  }
  return results;
}

NoiseResult runNoisePass(const Transformer& transformer, TokenId x, KvCache& cache,
                         const ContextRecord& context) {
  const Arithmetic other = transformer.arithmetic().with(SummationOrder::Alternate);
  HiddenErrorProbe probe(0, context);
  const Tensor out = transformer.forward(transformer.embedRows(x, cache.length(), 1),
                                         contextBatch(cache, 0), probe, other);
  return {transformer.logits(out, other).select(0, 0), probe.errors()};
}

}  // namespace equipatch
