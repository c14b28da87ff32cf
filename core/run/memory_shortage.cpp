// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/memory_shortage.h"

#include "core/base/machine.h"
#include "core/base/number_format.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/model_cache.h"

namespace equipatch {

namespace {

std::string sentenceOf(const MemoryShortage& shortage) {
  const MemoryEstimate& need = shortage.need;
  std::string text = shortage.model + " needs about " + bytesText(need.total()) + " in " +
                     std::string(torchName(need.dtype)) + ", but only " +
                     bytesText(shortage.free) + " of memory are free; ";
  if (shortage.fitting.empty())
    return text +
           "it fits in no dtype, so close other programs or choose a smaller model";
  std::string names;
  for (const MemoryEstimate& other : shortage.fitting)
    names += (names.empty() ? "" : " or ") + std::string(torchName(other.dtype)) + " (" +
             bytesText(other.total()) + ")";
  return text + names + " would fit";
}

}  // namespace

std::optional<MemoryShortage> shortageOf(const std::string& model,
                                         const std::vector<MemoryEstimate>& needs,
                                         DType dtype, std::int64_t free) {
  MemoryShortage shortage;
  shortage.model = model;
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
  return shortageOf(modelName(request.folder), memoryEstimates(checkpoint),
                    request.dtype.value_or(checkpoint.spec().storedDType), *free);
}

}  // namespace equipatch
