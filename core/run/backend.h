// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/lab/experiment.h"
#include "core/record/patch_factors.h"
#include "core/record/shared_patch_record.h"
#include "core/run/bench/bench_report.h"
#include "core/run/comparison.h"
#include "core/run/parity.h"
#include "core/run/session.h"

namespace equipatch {

class Checkpoint;

/// In host memory, row-major.
struct NamedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

/// A checkpoint to be written with a patch in its weights.
struct PatchedCheckpoint {
  const Checkpoint& original;
  /// By layer. If a matrix occurs more than once, its changes are added.
  const PatchFactors& factors;
  DType dtype = DType::F32;  ///< of all floating-point tensors that are written
  /// The position of the patch's first token in the run. In the written checkpoint, this
  /// token has position 0, and learned position embeddings are moved accordingly.
  std::int64_t firstPosition = 0;
  std::int64_t tokens = 1;  ///< consecutive tokens that the patch covers
  std::string note;         ///< the text of the new README.md
};

enum class SiteCapture { LogitsOnly, AllSites };

/// Everything that computes with libtorch. Loading libtorch takes most of a second;
/// therefore this is a separate library, which the first call of `backend` loads. Pass a
/// session only to the backend that opened it.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string torchVersion() const = 0;            ///< "1.13.0"
  virtual std::filesystem::path torchLibrary() const = 0;  ///< its file; empty: unknown
  virtual int threads() const = 0;                         ///< of kernels and libtorch
  /// As `useThreads` of session.h.
  virtual void useThreads(int count) const = 0;

  /// As `Session::open`.
  virtual std::shared_ptr<const Session> openSession(const SessionRequest& request,
                                                     Progress& progress) const = 0;

  /// @throws Error{BadInput} when the request has no tokens or steps, does not fit the
  /// model, or keeps positions that do not exist; Error{Resource} when the run does not
  /// fit into the free memory (`runShortage`).
  virtual std::unique_ptr<Comparison> makeComparison(
      std::shared_ptr<const Session> session, RunRequest request) const = 0;

  /// The replay has its own KV cache and shares ownership of the session.
  virtual std::shared_ptr<StepReplay> makeStepReplay(
      std::shared_ptr<const Session> session) const = 0;

  /// Computes one set of patched weights that is exact for several tokens, and checks it
  /// by an ordinary forward over these tokens without the context (docs/maths.md).
  /// @throws Error{BadInput} when positions do not fit prompt and model, or naming layer
  /// and matrix when no such weights exist; Error{Numeric}; Error{Cancelled}.
  virtual SharedPatchRecord makeSharedPatch(std::shared_ptr<const Session> session,
                                            SharedPatchRequest request,
                                            Progress& progress) const = 0;

  /// Adds the positions `grown`, one by one, to the context of the prompt's last token,
  /// and measures how each position changes this token's patch. The context contains
  /// earlier positions from the start.
  /// @returns [layer][position]: ‖ΔW with the position − ΔW without the position‖_F, over
  /// the MLP's input projections
  /// @throws Error{BadInput} if tokens or images do not fit the model, or `grown` does
  /// not precede the last token; Error{Cancelled}.
  virtual std::vector<std::vector<double>> contextGrowth(const Session& session,
                                                         const RunRequest& request,
                                                         PositionRange grown,
                                                         Progress& progress) const = 0;

  /// One ordinary forward over `ids` (at least one, at most the model's positions):
  /// "logits" [tokens, vocabulary], and with AllSites for each layer L "resid_pre.L",
  /// "attn_out.L", "resid_mid.L", "mlp_out.L", "resid_post.L" [tokens, width].
  /// With images, AllSites also gives "pixel_values" [images, 3, size, size],
  /// "vision_hidden_states.L", "vis_attn_out.L", "vis_mlp_out.L",
  /// "vision_last_hidden_state" [images, patches, width] and "image_features"
  /// [images, tokens, width].
  /// @throws Error{BadInput} when ids or images do not fit; Error{Cancelled}.
  virtual std::vector<NamedTensor> computeLogits(const Session& session,
                                                 std::span<const TokenId> ids,
                                                 SiteCapture capture,
                                                 const std::vector<PromptImage>& images,
                                                 Progress& progress) const = 0;
  std::vector<NamedTensor> computeLogits(
      const Session& session, std::span<const TokenId> ids, SiteCapture capture,
      const std::vector<PromptImage>& images = {}) const;

  /// Writes a whole checkpoint in Hugging Face layout with the patched weights: W + u wᵀ,
  /// m' and b', rounded to the dtype. Copies the original's other files, except weights
  /// in any format, their indices, and files above 256 MiB; the copy of README.md gets
  /// another name. Holds one tensor at a time in memory.
  /// @param folder is created if absent, else must be empty
  /// @throws Error{BadInput} when `folder` is not empty or the patch does not fit;
  ///         Error{Unsupported} when a patched weight is stored in MXFP4; Error{Resource}
  ///         when writing fails; Error{Cancelled}. Written files stay.
  virtual void savePatched(const PatchedCheckpoint& patched,
                           const std::filesystem::path& folder,
                           Progress& progress) const = 0;

  /// Compares logits, sites and greedy tokens with those of a golden folder.
  /// @throws Error naming the missing or damaged file or tensor; Error{Cancelled}.
  virtual GoldenResult checkGolden(const std::filesystem::path& folder,
                                   Progress& progress) const = 0;
  /// Runs a comparison on a golden folder's model. @throws Error as `checkGolden`.
  virtual PatchResult checkPatch(const PatchCheck& check, Progress& progress) const = 0;

  /// @throws Error{BadInput} when the model has too few positions, or no vision tower
  /// although images are requested; Error{Resource} when no disk has room or writing
  /// fails; Error{Cancelled}.
  virtual BenchReport bench(const std::shared_ptr<const Session>& session,
                            const BenchRequest& request, Progress& progress) const = 0;

  /// In the order of the papers; always the same list.
  virtual const std::vector<Experiment>& experiments() const = 0;
  /// The job can be paused and stopped between training steps.
  /// @throws Error{BadInput} when there is no such experiment.
  virtual std::unique_ptr<Job> makeLabJob(LabRequest request,
                                          std::shared_ptr<LabSink> sink) const = 0;
};

/// Loads the backend on the first call. Any thread.
/// @throws Error{Resource} when its library or libtorch's cannot be loaded.
const Backend& backend();

}  // namespace equipatch
