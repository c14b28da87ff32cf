// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/family/family.h"
#include "tests/support/test_data.h"

namespace equipatch::test {

/// Describes a config.json that has this model_type and the keys of `more`.
inline ModelDescription describe(const char* modelType, const Json& more) {
  Json config = {{"model_type", modelType}};
  config.update(more);
  return describeModel(config, "config.json");
}

inline ModelSpec specOf(const char* modelType, const Json& more = Json::object()) {
  return describe(modelType, more).spec;
}

/// "vocabulary width mlpWidth layers heads/kvHeads headDim maxPositions"
inline std::string sizesOf(const ModelSpec& spec) {
  const auto text = [](std::int64_t number) { return std::to_string(number); };
  return text(spec.vocabulary) + " " + text(spec.width) + " " + text(spec.mlpWidth) +
         " " + text(spec.layerCount()) + " " + text(spec.heads) + "/" +
         text(spec.kvHeads) + " " + text(spec.headDim) + " " + text(spec.maxPositions);
}

/// Stored name and shape of a weight: "model.norm.weight [48]"; "" if there is no such
/// weight. The name has the prefix of the first NameScheme. A TensorPart adds suffixes,
/// with indices from 0: " ᵀ" transposed, " 1/3 of 4" part 1 of 3 in each of 4 groups,
/// " in 3/5" slice 3 of 5, " over 2" spans two parts.
inline std::string stored(const ModelDescription& description, const std::string& name) {
  for (const TensorBinding& binding : description.tensors) {
    if (binding.name != name) continue;
    const NameScheme& scheme = description.schemes.front();
    const TensorPart& part = binding.part;
    std::string text = (binding.scope == TensorScope::Head ? scheme.head : scheme.body) +
                       binding.checkpointName + " " + shapeText(storedShape(binding));
    if (part.transposed) text += " ᵀ";
    if (part.parts > 1)
      text += " " + std::to_string(part.index) + "/" + std::to_string(part.parts) +
              " of " + std::to_string(part.groups);
    if (part.slices > 0)
      text += " in " + std::to_string(part.slice) + "/" + std::to_string(part.slices);
    if (part.span > 1) text += " over " + std::to_string(part.span);
    return text;
  }
  return {};
}

/// One letter per layer: L with a window, G without.
inline std::string windowsOf(const ModelSpec& spec) {
  std::string letters;
  for (const LayerSpec& layer : spec.layers) letters += layer.window ? 'L' : 'G';
  return letters;
}

/// One letter per layer: m for MoE, d for dense.
inline std::string expertsOf(const ModelSpec& spec) {
  std::string letters;
  for (const LayerSpec& layer : spec.layers) letters += layer.moe ? 'm' : 'd';
  return letters;
}

/// Describes a golden folder. @throws Error if a key or a tensor is not read
inline ModelDescription goldenOf(const char* folder) {
  const auto path = data("golden") / folder;
  const Checkpoint checkpoint = Checkpoint::open(path);
  if (!checkpoint.unreadTensors().empty() || !checkpoint.unreadKeys().empty())
    throw badInput(path.string() + ": a key or a tensor was not read");
  return describeModel(readJsonFile(path / "config.json", 1'000'000), "config.json");
}

}  // namespace equipatch::test
