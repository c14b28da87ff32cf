// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/model/transformer.h"
#include "core/patch/hooks/patch_builder.h"
#include "core/record/run_request.h"

namespace equipatch {

struct PassResults {
  Tensor contextual;  ///< logits [vocabulary], float32 or float64
  Tensor patched;     ///< likewise, with the patch at the setup's strength
  Tensor bare;        ///< undefined unless StepSetup::bare
  /// Lockstep leaves `inProjections` and `downInputs` empty unless StepSetup::needsPatch;
  /// in the closed loop, lockstep always leaves `downInputs` empty.
  ContextRecord context;
  Tensor audit;  ///< undefined unless StepSetup::audit
  /// The whole patch, whatever the strength; in lockstep without matrices unless
  /// StepSetup::needsPatch.
  Patch patch;
  std::vector<LayerDiagnostics> diagnostics;  ///< by layer
};

struct StepSetup {
  KeptContext kept = {};  ///< the part of the context that reduced rows see
  PatchOptions patch;
  Execution execution = Execution::Lockstep;
  PatchStrength strength;
  bool bare = true;
  bool audit = false;
  /// Whether the caller needs the patch's matrices, and `inProjections` and `downInputs`
  /// of the context. Unless `needsPatch`, lockstep frees them after each layer, so that
  /// the next layer reuses memory that is still in the processor's cache.
  bool keepPatch = true;
  LayerProgress* progress = nullptr;  ///< counts the layers of all passes; may be null

  bool needsPatch() const { return keepPatch || audit || !strength.whole(); }
  /// How often `runPasses` goes through all layers.
  std::int64_t forwards() const;
};

/// @param position of the step's token x
StepSetup stepSetup(const RunRequest& request, std::int64_t position,
                    const Arithmetic& arithmetic);

/// Runs the contextual, the patched and, if set up, the bare pass of token `x` at
/// position `cache.length()`, and adds x to the cache. Each pass has its own activations
/// from its own embedding to its own logits.
///
/// If the strength scales the patch or restricts it to some layers, the patched pass runs
/// again, alone, with the resulting patch. The audit is one more patched pass, with the
/// same patch and every sum in another order. An exact patch gives the same logits up to
/// rounding; a patch that compensates for a rounding error does not (docs/maths.md).
/// @throws Error as Transformer::embed and Transformer::forward
PassResults runPasses(const Transformer& transformer, TokenId x, KvCache& cache,
                      const StepSetup& setup);

/// The error for contextual logits that are not finite although every layer's output is.
Error notFiniteContext(const Transformer& transformer, const PassResults& results);

/// The patch `whole` of a step at `strength`; with Application::Materialised, its scales
/// and biases as a checkpoint would store them (`storedPatch`).
Patch appliedPatch(const Transformer& transformer, const Patch& whole,
                   const PatchStrength& strength, const StepSetup& setup);

/// Repeats the patched pass of x with another patch.
/// @param cache as `runPasses` left it after x; unchanged afterwards
/// @returns logits [vocabulary]
Tensor runGivenPatch(const Transformer& transformer, TokenId x, KvCache& cache,
                     const StepSetup& setup, const Patch& patch);

/// An arithmetic whose results differ from the model's by rounding alone (it sums in
/// another order or does not round activations), with its own KV cache; see NoiseFloor.
struct NoiseReference {
  Arithmetic arithmetic;
  KvCache cache;
};
struct NoiseResult {
  Tensor logits;                     ///< [vocabulary]
  std::vector<double> hiddenErrors;  ///< of resid_post by layer, see HiddenErrorProbe
};
/// Repeats the contextual pass of x with `reference` and adds x to the reference's cache,
/// which must hold the same context.
/// @param context the record of the contextual pass
NoiseResult runNoiseReference(const Transformer& transformer, TokenId x,
                              NoiseReference& reference, const ContextRecord& context,
                              LayerProgress* progress = nullptr);

}  // namespace equipatch
