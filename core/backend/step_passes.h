// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/model/transformer.h"
#include "core/patch/hooks/patch_builder.h"
#include "core/record/run_request.h"

namespace equipatch {

/// The results of one step's passes.
struct PassResults {
  Tensor contextual;  ///< logits [vocabulary], float32 or float64
  Tensor patched;
  Tensor bare;            ///< undefined unless StepSetup::bare
  ContextRecord context;  ///< in lockstep without its targets unless needsPatch
  Tensor audit;           ///< undefined unless requested
  Patch patch;  ///< in lockstep without its matrices unless StepSetup::needsPatch
  std::vector<LayerDiagnostics> diagnostics;  ///< by layer
};

/// The settings of one step's passes.
struct StepSetup {
  KeptContext kept = {};  ///< context that the patched and the bare pass see
  PatchOptions patch;
  Execution execution = Execution::Lockstep;
  PatchStrength strength;
  bool bare = true;
  bool audit = false;
  /// Whether the caller needs the matrices' factors and the products they restore. Unless
  /// `needsPatch`, lockstep frees them after each layer, so that the next layer reuses
  /// memory that is still in the processor's cache.
  bool keepPatch = true;
  LayerProgress* progress = nullptr;  ///< counts the layers of all passes; may be null

  bool needsPatch() const { return keepPatch || audit || !strength.whole(); }
  /// The number of forward passes through all layers.
  std::int64_t forwards() const;
};

/// The settings of one step of a run. @param position of the step's newest token x
StepSetup stepSetup(const RunRequest& request, std::int64_t position,
                    const Arithmetic& arithmetic);

/// Runs the contextual, the patched and, if set up, the bare pass of token `x` at
/// position `cache.length()`, and adds x to the cache. Each pass has its own activations
/// from its own embedding to its own logits.
///
/// Lockstep sends all passes through each layer together, so that every weight is read
/// once. Separate runs them one after another: the contextual pass is recorded, the patch
/// is built from the record, and the patched model then runs alone with the finished
/// patch.
///
/// Unless the strength is the whole patch, the patched model runs alone with the scaled
/// patch, in either execution. The audit replays the finished patch in an ordinary
/// forward without the absorbed context that takes every sum in another order. An exact
/// patch then gives the same logits up to rounding; a patch that compensates for a
/// rounding error does not (docs/maths.md).
PassResults runPasses(const Transformer& transformer, TokenId x, KvCache& cache,
                      const StepSetup& setup);

/// The error for a contextual pass with logits that are not finite although all its
/// layers' outputs are finite.
Error notFiniteContext(const Transformer& transformer, const PassResults& results);

/// The step's patch at the given strength, as the setup's application uses it.
Patch appliedPatch(const Transformer& transformer, const Patch& whole,
                   const PatchStrength& strength, const StepSetup& setup);

/// Repeats the patched pass of an earlier step with another patch or with a part of the
/// step's own patch. @returns logits [vocabulary].
/// @param cache as `runPasses` left it; the same afterwards
Tensor runGivenPatch(const Transformer& transformer, TokenId x, KvCache& cache,
                     const StepSetup& setup, const Patch& patch);

/// An arithmetic that differs from the model's only in rounding (sums in another order,
/// or nothing rounded), with its own KV cache.
struct NoiseReference {
  Arithmetic arithmetic;
  KvCache cache;
};
struct NoiseResult {
  Tensor logits;                     ///< [vocabulary]
  std::vector<double> hiddenErrors;  ///< by layer
};
/// Repeats the contextual pass with `reference`. The distance between the two passes'
/// logits is the noise floor.
NoiseResult runNoiseReference(const Transformer& transformer, TokenId x,
                              NoiseReference& reference, const ContextRecord& context,
                              LayerProgress* progress = nullptr);

}  // namespace equipatch
