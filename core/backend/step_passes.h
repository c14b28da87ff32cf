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
  Tensor patched;     ///< likewise, with the patch at the setup's strength
  Tensor bare;        ///< undefined unless StepSetup::bare
  /// Lockstep leaves `inProjections` and `downInputs` empty unless StepSetup::needsPatch.
  /// In the closed loop it always leaves `downInputs` empty.
  ContextRecord context;
  Tensor audit;  ///< undefined unless StepSetup::audit
  /// The whole patch, whatever the strength. Lockstep leaves out its matrices unless
  /// StepSetup::needsPatch.
  Patch patch;
  std::vector<LayerDiagnostics> diagnostics;  ///< by layer
};

/// The settings of one step's passes.
struct StepSetup {
  KeptContext kept = {};  ///< context that all passes but the contextual one see
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
/// If the strength scales the patch or restricts it to some layers, the patched model
/// runs alone with the result, in either execution. The audit replays the finished patch
/// without the absorbed context, in an ordinary forward that takes every sum in another
/// order. An exact patch then gives the same logits up to rounding; a patch that
/// compensates for a rounding error does not (docs/maths.md).
/// @throws Error as Transformer::embedRows and Transformer::forward
PassResults runPasses(const Transformer& transformer, TokenId x, KvCache& cache,
                      const StepSetup& setup);

/// The error for a contextual pass with logits that are not finite although all its
/// layers' outputs are finite.
Error notFiniteContext(const Transformer& transformer, const PassResults& results);

/// The step's patch at the given strength, as the setup's application uses it.
Patch appliedPatch(const Transformer& transformer, const Patch& whole,
                   const PatchStrength& strength, const StepSetup& setup);

/// Repeats the patched pass of the newest step in the cache, whose token is x, with
/// another patch or with a part of its own. @returns logits [vocabulary].
/// @param cache as `runPasses` left it; unchanged afterwards
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
  std::vector<double> hiddenErrors;  ///< of resid_post by layer, see HiddenErrorProbe
};
/// Repeats the contextual pass of x with `reference`, whose cache holds the same context,
/// and adds x to that cache. The noise floor is the largest distance between the two
/// passes' logits, over all references and steps (NoiseFloor).
/// @param context of the contextual pass
NoiseResult runNoiseReference(const Transformer& transformer, TokenId x,
                              NoiseReference& reference, const ContextRecord& context,
                              LayerProgress* progress = nullptr);

}  // namespace equipatch
