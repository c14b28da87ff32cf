// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/bench/shape_bench.h"

#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/file_map.h"
#include "core/base/machine.h"
#include "core/base/write_failure.h"
#include "core/checkpoint/safetensors.h"
#include "core/run/backend.h"

namespace equipatch {
namespace {

/// The progress when the weights are drawn, written and loaded.
constexpr double kDrawn = 0.125, kWritten = 0.25, kLoaded = 0.375;

/// Writes every stored tensor once, although several weights may be parts of it.
void writeWeights(const Checkpoint& checkpoint, const std::filesystem::path& path,
                  Progress& progress) {
  std::map<std::string, const TensorView*> tensors;
  for (const auto& [name, weight] : checkpoint.weights()) {
    tensors.emplace(weight.name, &weight.stored);
    if (weight.scales) tensors.emplace(weight.scalesName, &*weight.scales);
  }
  std::vector<TensorPlan> plan;
  for (const auto& [name, view] : tensors)
    plan.push_back({name, view->dtype, view->shape});
  SafetensorsWriter writer(path, plan);
  double written = 0.0;
  for (const auto& [name, view] : tensors) {
    progress.throwIfStopped();
    progress.report(written++ / static_cast<double>(tensors.size()),
                    "Writing the weights");
    writer.append(name, view->bytes);
  }
  writer.finish();
}

bool hasRoomFor(const MemoryEstimate& need) {
  const auto free = availableMemory();
  return free && need.total() <= *free;
}

}  // namespace

WrittenCheckpoint::WrittenCheckpoint(const Checkpoint& checkpoint,
                                     const std::filesystem::path& place,
                                     Progress& progress)
    : m_folder(place) {
  std::error_code failure;
  std::filesystem::copy_file(checkpoint.folder() / "config.json",
                             folder() / "config.json", failure);
  if (failure)
    throw writeFailed(folder() / "config.json", "the file cannot be copied",
                      failure.message(), failure.value());
  writeWeights(checkpoint, folder() / "model.safetensors", progress);
}

MeasuredModel benchFromFile(const SessionRequest& shape, BenchRequest request,
                            Progress& progress) {
  progress.report(0.0, "Drawing the weights");
  PartialProgress drawing(progress, 0.0, kDrawn);
  auto drawn = Session::open(shape, drawing);
  const DType dtype = drawn->dtype();
  const MemoryEstimate need = estimateFor(drawn->checkpoint(), dtype);
  const auto place =
      folderOnDisk(temporaryPlaces(), static_cast<std::uintmax_t>(need.weights));
  PartialProgress writing(progress, kDrawn, kWritten);
  const WrittenCheckpoint written(drawn->checkpoint(), place, writing);
  dropCachedPages(written.folder() / "model.safetensors");

  if (!hasRoomFor(need)) drawn.reset();
  SessionRequest file = shape;
  file.folder = written.folder();
  file.dtype = dtype;
  file.weights = WeightOrigin::Files;
  PartialProgress loading(progress, kWritten, kLoaded);
  const auto session = Session::open(file, loading);
  request.drawn = std::move(drawn);
  request.loading = hasRoomFor(need) ? MeasureLoading::Yes : MeasureLoading::No;
  PartialProgress measuring(progress, kLoaded, 1.0);
  return {session, backend().bench(session, request, measuring)};
}

}  // namespace equipatch
