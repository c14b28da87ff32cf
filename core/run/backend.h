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

/// A result on the host, row-major, for writing to a file.
struct NamedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

/// A patch to be stored in the weights of a checkpoint.
struct PatchedCheckpoint {
  const Checkpoint& original;
  /// The patch by layer. If a matrix occurs more than once, its changes are added.
  const PatchFactors& factors;
  DType dtype = DType::F32;  ///< of all floating-point tensors that are written
  /// Position of the patch's first token in the run. In the checkpoint this token has
  /// position 0: learned position embeddings are moved accordingly.
  std::int64_t firstPosition = 0;
  std::int64_t tokens = 1;  ///< the number of consecutive tokens that the patch covers
  std::string note;         ///< the text of its README.md
};

enum class SiteCapture { LogitsOnly, AllSites };

/// Everything that computes with libtorch. Loading libtorch takes most of a second, so
/// the backend is a separate library, loaded by the first call of `backend`. Sessions
/// must come from the backend that they are passed to.
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

  /// @throws Error{BadInput} when the request does not fit the model: no tokens, no step,
  /// an id outside the vocabulary, more positions than the model has, images that do not
  /// fit, layers or kept positions that do not exist; Error{Resource} when the run does
  /// not fit into the free memory (`runShortage`).
  virtual std::unique_ptr<Comparison> makeComparison(
      std::shared_ptr<const Session> session, RunRequest request) const = 0;

  /// The replay has its own KV cache and shares ownership of the session.
  virtual std::shared_ptr<StepReplay> makeStepReplay(
      std::shared_ptr<const Session> session) const = 0;

  /// One set of patched weights that is exact for several tokens, checked by a plain
  /// forward over them without the context (docs/maths.md).
  /// @throws Error{BadInput} when positions do not fit prompt and model, or no such
  /// weights exist (names layer and matrix); Error{Numeric}; Error{Cancelled}.
  virtual SharedPatchRecord makeSharedPatch(std::shared_ptr<const Session> session,
                                            SharedPatchRequest request,
                                            Progress& progress) const = 0;

  /// Adds the positions `grown`, one by one, to the context of the prompt's last token,
  /// and measures how each changes this token's patch. Earlier positions are in the
  /// context from the start. → [layer][position]: ‖ΔW with the position − ΔW without
  /// it‖_F over the MLP's input projections.
  /// @throws Error{BadInput} for tokens and images that do not fit the model, or if
  /// `grown` does not precede the last token; Error{Cancelled}.
  virtual std::vector<std::vector<double>> contextGrowth(const Session& session,
                                                         const RunRequest& request,
                                                         PositionRange grown,
                                                         Progress& progress) const = 0;

  /// One ordinary forward over `ids` (at least one, all in the vocabulary):
  /// "logits" [tokens, vocabulary], and with AllSites for each layer L "resid_pre.L",
  /// "attn_out.L", "resid_mid.L", "mlp_out.L", "resid_post.L" [tokens, width].
  /// With images, AllSites also gives "pixel_values" [images, 3, size, size],
  /// "vision_hidden_states.L", "vis_attn_out.L", "vis_mlp_out.L",
  /// "vision_last_hidden_state" [images, patches, width] and "image_features"
  /// [images, tokens, width].
  /// @throws Error{BadInput} for no ids, ids outside the vocabulary, more than the
  /// model's positions, or images that do not fit; Error{Cancelled}.
  virtual std::vector<NamedTensor> computeLogits(const Session& session,
                                                 std::span<const TokenId> ids,
                                                 SiteCapture capture,
                                                 const std::vector<PromptImage>& images,
                                                 Progress& progress) const = 0;
  std::vector<NamedTensor> computeLogits(
      const Session& session, std::span<const TokenId> ids, SiteCapture capture,
      const std::vector<PromptImage>& images = {}) const;

  /// Writes a whole checkpoint in Hugging Face layout with the patched weights: W + u wᵀ
  /// rounded to the dtype, m', b'. Copies the folder's other files, except weights in any
  /// format, their indices, and files above 256 MiB; the original's README.md gets
  /// another name, because it describes other weights. Holds one tensor at a time in
  /// memory; takes minutes for a large model.
  /// @param folder is created if it does not exist, and must be empty.
  /// @throws Error{BadInput} when it is not empty or the patch does not fit the model;
  ///         Error{Unsupported} when a patched weight is stored in MXFP4; Error{Resource}
  ///         when writing fails; Error{Cancelled}. Written files stay.
  virtual void savePatched(const PatchedCheckpoint& patched,
                           const std::filesystem::path& folder,
                           Progress& progress) const = 0;

  /// Compares logits, sites and greedy tokens with a golden checkpoint's.
  /// @throws Error naming the missing or damaged file or tensor; Error{Cancelled}.
  virtual GoldenResult checkGolden(const std::filesystem::path& folder,
                                   Progress& progress) const = 0;
  /// A comparison run on a golden checkpoint, summarised. @throws as `checkGolden`.
  virtual PatchResult checkPatch(const PatchCheck& check, Progress& progress) const = 0;

  /// Measures with the threads of `useThreads`; takes minutes for a large model.
  /// @throws Error{BadInput} when the model has too few positions, or no vision tower for
  /// images that are requested; Error{Resource} when no disk has room or writing fails;
  /// Error{Cancelled}.
  virtual BenchReport bench(const std::shared_ptr<const Session>& session,
                            const BenchRequest& request, Progress& progress) const = 0;

  /// The lab's experiments in the order of the papers; constant.
  virtual const std::vector<Experiment>& experiments() const = 0;
  /// Runs one experiment; can be paused and stopped between training steps.
  /// @throws Error{BadInput} when there is no such experiment.
  virtual std::unique_ptr<Job> makeLabJob(LabRequest request,
                                          std::shared_ptr<LabSink> sink) const = 0;
};

/// Loads the backend on the first call. Any thread.
/// @throws Error{Resource} when its library or libtorch's cannot be loaded.
const Backend& backend();

}  // namespace equipatch
