// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/record/shared_patch_record.h"
#include "core/run/backend.h"
#include "core/run/bench/bench_report.h"
#include "core/run/comparison.h"
#include "core/run/parity.h"
#include "core/run/session.h"

namespace equipatch {

/// The backend on libtorch. Most functions call the free function of the same name, below
/// or in core/lab.
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
  std::vector<NamedTensor> computeLogits(const Session& session,
                                         std::span<const TokenId> ids,
                                         SiteCapture capture) const override;
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

// The functions that TorchBackend calls, each in its own source file; see Backend for
// their contracts.

GoldenResult checkGolden(const std::filesystem::path& folder, Progress& progress);
PatchResult checkPatch(const PatchCheck& check, Progress& progress);
void savePatched(const PatchedCheckpoint& patched, const std::filesystem::path& folder,
                 Progress& progress);
SharedPatchRecord makeSharedPatch(std::shared_ptr<const Session> session,
                                  SharedPatchRequest request, Progress& progress);
std::shared_ptr<StepReplay> makeStepReplay(std::shared_ptr<const Session> session);
BenchReport bench(const std::shared_ptr<const Session>& session,
                  const BenchRequest& request, Progress& progress);

}  // namespace equipatch

/// The entry point that `backend()` looks up after loading libequipatch_backend.so.
extern "C" const equipatch::Backend* equipatchBackend();
