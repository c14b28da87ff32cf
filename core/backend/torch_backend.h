// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/file_map.h"
#include "core/base/progress.h"
#include "core/model/transformer.h"
#include "core/record/run_request.h"
#include "core/record/shared_patch_record.h"
#include "core/run/backend.h"
#include "core/run/bench/bench_report.h"
#include "core/run/comparison.h"
#include "core/run/parity.h"
#include "core/run/session.h"

namespace equipatch {

class TorchBackend final : public Backend {
 public:
  std::string torchVersion() const override;
  std::filesystem::path torchLibrary() const override;
  int threads() const override;
  void useThreads(int count) const override;
  std::shared_ptr<const Session> openSession(const SessionRequest& request,
                                             Progress& progress) const override;
  std::unique_ptr<Comparison> makeComparison(std::shared_ptr<const Session> session,
                                             RunRequest request) const override;
  std::shared_ptr<StepReplay> makeStepReplay(
      std::shared_ptr<const Session> session) const override;
  SharedPatchRecord makeSharedPatch(std::shared_ptr<const Session> session,
                                    SharedPatchRequest request,
                                    Progress& progress) const override;
  std::vector<std::vector<double>> contextGrowth(const Session& session,
                                                 const RunRequest& request,
                                                 PositionRange grown,
                                                 Progress& progress) const override;
  using Backend::computeLogits;
  std::vector<NamedTensor> computeLogits(const Session& session,
                                         std::span<const TokenId> ids,
                                         SiteCapture capture,
                                         const std::vector<PromptImage>& images,
                                         Progress& progress) const override;
  void savePatched(const PatchedCheckpoint& patched, const std::filesystem::path& folder,
                   Progress& progress) const override;
  GoldenResult checkGolden(const std::filesystem::path& folder,
                           Progress& progress) const override;
  PatchResult checkPatch(const PatchCheck& check, Progress& progress) const override;
  BenchReport bench(const std::shared_ptr<const Session>& session,
                    const BenchRequest& request, Progress& progress) const override;
  const std::vector<Experiment>& experiments() const override;
  std::unique_ptr<Job> makeLabJob(LabRequest request,
                                  std::shared_ptr<LabSink> sink) const override;
};

// TorchBackend calls these functions; Backend has their contracts.

GoldenResult checkGolden(const std::filesystem::path& folder, Progress& progress);
PatchResult checkPatch(const PatchCheck& check, Progress& progress);
void savePatched(const PatchedCheckpoint& patched, const std::filesystem::path& folder,
                 Progress& progress);
SharedPatchRecord makeSharedPatch(std::shared_ptr<const Session> session,
                                  SharedPatchRequest request, Progress& progress);
std::shared_ptr<StepReplay> makeStepReplay(std::shared_ptr<const Session> session);
std::vector<std::vector<double>> contextGrowth(const Session& session,
                                               const RunRequest& request,
                                               PositionRange grown, Progress& progress);
std::vector<NamedTensor> computeLogits(const Session& session,
                                       std::span<const TokenId> ids, SiteCapture capture,
                                       const std::vector<PromptImage>& images,
                                       Progress& progress);
inline std::vector<NamedTensor> computeLogits(
    const Session& session, std::span<const TokenId> ids, SiteCapture capture,
    const std::vector<PromptImage>& images = {}) {
  SilentProgress silent;
  return computeLogits(session, ids, capture, images, silent);
}
BenchReport bench(const std::shared_ptr<const Session>& session,
                  const BenchRequest& request, Progress& progress);

class TorchSession final : public Session {
 public:
  TorchSession(const SessionRequest& request, Progress& progress);

  const Transformer& transformer() const { return *m_transformer; }

  /// The vision tower's rows for the picture whose file has this hash; an undefined
  /// tensor if none are kept. Any thread may call it.
  Tensor seenRows(const std::string& sha256) const;
  /// Keeps a picture's rows for `seenRows`. If the rows of 64 pictures are already kept,
  /// drops all of these first.
  void keepRows(const std::string& sha256, const Tensor& rows) const;

 private:
  /// Reads ahead on a thread that may still run when the session is ready.
  std::unique_ptr<Readahead> m_ahead;
  std::unique_ptr<Transformer> m_transformer;
  using SeenRows = std::map<std::string, Tensor>;
  mutable std::atomic<std::shared_ptr<const SeenRows>> m_seen;  // replaced as a whole
};

/// @param session opened by this backend
const Transformer& transformerOf(const Session& session);

/// @throws Error{BadInput} naming the first id outside the vocabulary. Ids at an image's
/// positions may be outside, because the embedding is not looked up there.
void checkVocabulary(const ModelSpec& spec, const std::vector<Token>& tokens,
                     const std::vector<PromptImage>& images);
/// @throws Error{BadInput} if the model has fewer than `tokens` positions.
void checkTextLength(const ModelSpec& spec, std::size_t tokens);
std::vector<TokenId> idsOf(const std::vector<Token>& tokens);

class TorchComparison final : public Comparison {
 public:
  /// See Backend::makeComparison.
  TorchComparison(std::shared_ptr<const Session> session, RunRequest request);
  ~TorchComparison() override;

  const RunHeader& header() const override;
  void prefill(Progress& progress) override;
  void resume(const std::vector<TokenId>& continued, Progress& progress) override;
  bool done() const override;
  using Comparison::step;
  std::shared_ptr<const StepRecord> step(Progress& progress) override;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace equipatch

/// `backend()` looks up this name in libequipatch_backend.so.
extern "C" const equipatch::Backend* equipatchBackend();
