// SPDX-License-Identifier: GPL-3.0-or-later
// Weights and config.json.
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/family/family.h"
#include "core/checkpoint/memory_estimate.h"
#include "core/checkpoint/model_entry.h"
#include "core/checkpoint/safetensors.h"
#include "tests/fuzz/harness.h"
#include "tests/support/sane_description.h"

namespace equipatch::fuzz {
namespace {

/// Reads both ends of a view, so that a wrong one faults here.
void touch(const TensorView& view) {
  require(view.bytes.size() ==
              static_cast<std::size_t>(view.elements()) * byteSize(view.dtype),
          "a view has as many bytes as its shape needs");
  [[maybe_unused]] static volatile int sum = 0;
  if (!view.bytes.empty())
    sum = std::to_integer<int>(view.bytes.front()) +
          std::to_integer<int>(view.bytes.back()) + (view.aligned() ? 1 : 0);
  requireSentence(shapeText(view.shape));
}

void touch(const SafetensorsFile& file) {
  for (const auto& [name, view] : file.tensors()) touch(view);
}

}  // namespace

void readSafetensors(std::string_view input) {
  attempt([&] { touch(SafetensorsFile::open(scratchFile("model.safetensors", input))); });
}

void readTensorIndex(std::string_view input) {
  attempt([&] {
    const auto folder = scratchFolderOf(input);
    attempt([&] {
      const TensorIndex index = TensorIndex::open(folder);
      for (const std::string& name : index.names()) touch(*index.find(name));
      for (const SafetensorsFile& file : index.files()) touch(file);
    });
    if (const auto problem = describeModelFolder(folder).problem; !problem.empty())
      requireSentence(problem);
  });
}

void readConfig(std::string_view input) {
  attempt([&] {
    const Json config = parseJson(input, "config.json");
    statedArchitecture(config);
    const ModelDescription description = describeModel(config, "config.json");
    require(test::isSane(description), "sizes are within limits and fit each other");
  });
}

void readCheckpoint(std::string_view input) {
  attempt([&] {
    const auto folder = scratchFolderOf(input);
    attempt([&] {
      const Checkpoint checkpoint = Checkpoint::open(folder);
      for (const auto& [name, weight] : checkpoint.weights()) touch(weight.stored);
      require(checkpoint.parameterCount() > 0, "a model has parameters");
      for (const MemoryEstimate& estimate : memoryEstimates(checkpoint))
        require(estimate.total() > 0, "a model needs memory");
    });
    const ModelEntry entry = describeModelFolder(folder);
    if (!entry.loadable()) requireSentence(entry.problem);
  });
}

}  // namespace equipatch::fuzz
