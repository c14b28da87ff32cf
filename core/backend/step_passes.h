#pragma once

#include <optional>
#include <vector>

#include "core/model/transformer.h"
#include "core/patch/hooks/patch_builder.h"
#include "core/record/run_request.h"

namespace equipatch {

/// What the passes of one step left behind.
struct PassResults {
  Tensor contextual;  ///< logits [vocabulary], wide
  Tensor patched;
  Tensor bare;  ///< undefined without the control
  ContextRecord context;
  Tensor audit;  ///< undefined unless asked for
  Patch patch;   ///< without its matrices where it was not to be kept
  std::vector<LayerDiagnostics> diagnostics;  ///< by layer
};

/// How a step's passes are set up.
struct StepSetup {
  KeptContext kept = {};  ///< what of the context the passes without it still see
  PatchOptions patch;
  Execution execution = Execution::Lockstep;
  PatchStrength strength;
  bool bare = true;
  bool audit = false;
  /// The matrices' factors and the products they restore are wanted afterwards. In
  /// lockstep they are otherwise let go as each block closes: megabytes that the next
  /// block's then find in the processor's cache instead of in memory.
  bool keepPatch = true;

  bool needsPatch() const { return keepPatch || audit || !strength.whole(); }
};

/// Runs the contextual, the patched and the bare pass of token `x` at position
/// `cache.length()`, and adds x to the cache. Each pass has its own activations from its
/// own embedding to its own logits.
///
/// Lockstep sends all passes through each block together, so that every weight is read
/// once. Separate runs them one after another: the contextual pass is recorded, the patch
/// is built from the record, and the patched model then runs alone with the finished
/// patch.
///
/// A strength below the whole patch runs the patched model alone with that much of it,
/// whatever the execution. The audit replays the finished patch in an ordinary
/// context-free forward whose every sum is taken in another order: an exact patch stands
/// that, one that rests on a rounding error being just so does not (MATHS section 1).
PassResults runPasses(const Transformer& transformer, TokenId x, KvCache& cache,
                      const StepSetup& setup);

/// The patched pass of a step that was computed before, alone with another patch or a
/// part of its own → logits [vocabulary].
/// @param cache as `runPasses` left it; is not changed
Tensor runGivenPatch(const Transformer& transformer, TokenId x, KvCache& cache,
                     const StepSetup& setup, const Patch& patch);

/// The contextual pass once more in an arithmetic that differs by rounding alone (other
/// order of sums, or nothing rounded) and with a cache of its own: its distance from the
/// first is the noise floor.
struct NoiseResult {
  Tensor logits;  ///< [vocabulary]
  std::vector<double> hiddenErrors;
};
/// The contextual pass a second time, in an arithmetic of its own.
struct NoiseReference {
  Arithmetic arithmetic;
  KvCache cache;
};
NoiseResult runNoiseReference(const Transformer& transformer, TokenId x,
                              NoiseReference& reference, const ContextRecord& context);

}  // namespace equipatch
