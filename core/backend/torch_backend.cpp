// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <torch/version.h>

namespace equipatch {

std::string TorchBackend::torchVersion() const {
  return TORCH_VERSION;
}

std::filesystem::path TorchBackend::torchLibrary() const {
  Dl_info library{};
  const auto* function = reinterpret_cast<const void*>(&at::get_num_threads);
  if (dladdr(function, &library) == 0 || !library.dli_fname) return {};
  std::error_code problem;
  const auto file = std::filesystem::canonical(library.dli_fname, problem);
  return problem ? std::filesystem::path() : file;
}

int TorchBackend::threads() const {
  return at::get_num_threads();
}

void TorchBackend::useThreads(int count) const {
  setComputeThreads(count);
}

std::shared_ptr<const Session> TorchBackend::openSession(const SessionRequest& request,
                                                         Progress& progress) const {
  progress.report(0.0, "Checking the files");
  return std::make_shared<const TorchSession>(request, progress);
}

std::unique_ptr<Comparison> TorchBackend::makeComparison(
    std::shared_ptr<const Session> session, RunRequest request) const {
  return std::make_unique<TorchComparison>(std::move(session), std::move(request));
}

std::shared_ptr<StepReplay> TorchBackend::makeStepReplay(
    std::shared_ptr<const Session> session) const {
  return equipatch::makeStepReplay(std::move(session));
}

SharedPatchRecord TorchBackend::makeSharedPatch(std::shared_ptr<const Session> session,
                                                SharedPatchRequest request,
                                                Progress& progress) const {
  return equipatch::makeSharedPatch(std::move(session), std::move(request), progress);
}

std::vector<std::vector<double>> TorchBackend::contextGrowth(const Session& session,
                                                             const RunRequest& request,
                                                             PositionRange grown,
                                                             Progress& progress) const {
  return equipatch::contextGrowth(session, request, grown, progress);
}

std::vector<NamedTensor> TorchBackend::computeLogits(
    const Session& session, std::span<const TokenId> ids, SiteCapture capture,
    const std::vector<PromptImage>& images, Progress& progress) const {
  return equipatch::computeLogits(session, ids, capture, images, progress);
}

void TorchBackend::savePatched(const PatchedCheckpoint& patched,
                               const std::filesystem::path& folder,
                               Progress& progress) const {
  equipatch::savePatched(patched, folder, progress);
}

GoldenResult TorchBackend::checkGolden(const std::filesystem::path& folder,
                                       Progress& progress) const {
  return equipatch::checkGolden(folder, progress);
}

PatchResult TorchBackend::checkPatch(const PatchCheck& check, Progress& progress) const {
  return equipatch::checkPatch(check, progress);
}

BenchReport TorchBackend::bench(const std::shared_ptr<const Session>& session,
                                const BenchRequest& request, Progress& progress) const {
  return equipatch::bench(session, request, progress);
}

const std::vector<Experiment>& TorchBackend::experiments() const {
  return equipatch::experiments();
}

std::unique_ptr<Job> TorchBackend::makeLabJob(LabRequest request,
                                              std::shared_ptr<LabSink> sink) const {
  return equipatch::makeLabJob(std::move(request), std::move(sink));
}

}  // namespace equipatch

extern "C" const equipatch::Backend* equipatchBackend() {
  static const equipatch::TorchBackend backend;
  return &backend;
}
