// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/memory_shortage.h"

#include <algorithm>
#include <chrono>

#include "core/base/machine.h"
#include "core/base/number_format.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/model_cache.h"

namespace equipatch {
namespace {

/// A clause on the cost of mapping the weights from their files; empty if the model would
/// not fit with mapped weights either.
std::string costOfMapping(const MemoryShortage& shortage) {
  constexpr std::int64_t kBytesPerSecond = 1'000'000'000;  // of a usual disk
  const MemoryEstimate& need = shortage.need;
  if (need.mapped == 0 || need.total() - need.mapped > shortage.free) return {};
  const std::string cost = "up to " + bytesText(need.mapped) +
                           " from the disk at every step, " +
                           durationText(std::chrono::seconds(std::max<std::int64_t>(
                               1, need.mapped / kBytesPerSecond))) +
                           " at 1 GB/s";
  return shortage.place == WeightPlace::Resident
             ? "mapped instead of resident it would read " + cost + "; "
             : "its weights stay mapped, which reads " + cost + "; ";
}

std::string sentenceOf(const MemoryShortage& shortage) {
  const MemoryEstimate& need = shortage.need;
  std::string text = shortage.model + " needs about " + bytesText(need.total()) + " in " +
                     std::string(torchName(need.dtype)) + ", but only " +
                     bytesText(shortage.free) + " of memory is free; " +
                     costOfMapping(shortage);
  if (shortage.fitting.empty())
    return text +
           "no dtype fits into memory, so close other programs or choose a smaller model";
  std::string names;
  for (const MemoryEstimate& other : shortage.fitting)
    names += (names.empty() ? "" : " or ") + std::string(torchName(other.dtype)) + " (" +
             bytesText(other.total()) + ")";
  return text + names + " would fit";
}

}  // namespace

MemoryEstimate sessionEstimate(const Checkpoint& checkpoint, DType dtype,
                               bool computeFloat32) {
  MemoryEstimate need = estimateFor(checkpoint, dtype);
  if (computeFloat32 && byteSize(dtype) < byteSize(DType::F32)) {
    const MemoryEstimate wide = estimateFor(checkpoint, DType::F32);
    need.cache = wide.cache;
    need.scratch = wide.scratch;
    need.keptParts = wide.keptParts;
  }
  return need;
}

std::optional<MemoryShortage> shortageOf(const std::string& model,
                                         const std::vector<MemoryEstimate>& needs,
                                         DType dtype, std::int64_t free,
                                         std::optional<WeightPlace> place) {
  MemoryShortage shortage;
  shortage.model = model;
  shortage.place = place;
  shortage.free = free;
  bool isShort = false;
  for (const MemoryEstimate& need : needs) {
    const bool fits = need.total() <= free;
    if (need.dtype == dtype) {
      shortage.need = need;
      isShort = !fits;
    }
    if (fits) shortage.fitting.push_back(need);
  }
  if (!isShort) return std::nullopt;
  shortage.sentence = sentenceOf(shortage);
  return shortage;
}

std::optional<MemoryShortage> findShortage(const SessionRequest& request) {
  if (request.device != "cpu") return std::nullopt;
  const auto free = availableMemory();
  if (!free) return std::nullopt;
  const Checkpoint checkpoint = Checkpoint::open(request.folder);
  std::vector<MemoryEstimate> needs;
  for (const DType dtype : kRunDTypes)
    needs.push_back(sessionEstimate(checkpoint, dtype, request.computeFloat32));
  return shortageOf(modelName(request.folder), needs,
                    request.dtype.value_or(checkpoint.spec().storedDType), *free,
                    request.place);
}

std::string runShortage(const Session& session, const RunRequest& request,
                        std::int64_t free) {
  if (session.device() != "cpu") return {};
  // A run ends at the model's last position. The bound also prevents an overflow.
  const std::int64_t before = std::ssize(request.prompt) - 1;
  const std::int64_t positions =
      before + std::min(request.steps, session.spec().maxPositions - before);
  const auto estimate = [&session](DType dtype, std::int64_t length) {
    return estimateFor(session.checkpoint(), dtype, length);
  };
  // Without program and logits, whose memory does not depend on the text's length.
  const auto grown = [&](DType dtype) {
    return estimate(dtype, positions).scratch - estimate(dtype, 1).scratch;
  };
  const DType dtype = session.computesFloat32() ? DType::F32 : session.dtype();
  const DType wide = byteSize(dtype) < byteSize(DType::F32) ? DType::F32 : dtype;
  const MemoryEstimate need = estimate(dtype, positions);
  std::int64_t bytes = need.cache + grown(dtype);
  if (!request.absorbed.whole()) bytes += need.keptParts;
  // The ablated pass and the noise references have KV caches of their own.
  if (request.runsAblated()) bytes += need.cache;
  if (request.measureNoise) bytes += need.cache;
  if (request.measureNoise && wide != dtype) bytes += estimate(wide, positions).cache;
  if (bytes <= free) return {};
  return "a run of " + std::to_string(positions) + " positions needs about " +
         bytesText(bytes) + " beside the model's weights, but only " + bytesText(free) +
         " of memory is free; use a shorter prompt or fewer steps, or close other "
         "programs";
}

}  // namespace equipatch
