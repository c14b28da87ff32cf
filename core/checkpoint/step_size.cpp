// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/step_size.h"

#include <charconv>
#include <string_view>

#include "core/checkpoint/checkpoint.h"

namespace equipatch {
namespace {

/// A weight's name within its layer: "experts.3.W_down".
std::string_view withinLayer(std::string_view name) {
  constexpr std::string_view kLayers = "layers.";
  if (!name.starts_with(kLayers)) return name;
  return name.substr(name.find('.', kLayers.size()) + 1);
}

/// True for the experts that are not counted. All experts have the same size, so the
/// first `active` ones stand for those that a token uses.
bool isIdle(std::string_view name, const ModelSpec& spec) {
  constexpr std::string_view kExperts = "experts.";
  if (!name.starts_with(kExperts)) return false;
  std::int64_t expert = 0;
  const std::string_view number = name.substr(kExperts.size());
  std::from_chars(number.data(), number.data() + number.size(), expert);
  return expert >= spec.moe->active;
}

bool isHead(std::string_view name, const ModelSpec& spec) {
  return name == (spec.tiedHead ? "embed" : "head");
}

bool isMultiplied(std::string_view name, const ModelSpec& spec) {
  if (isHead(name, spec)) return true;
  const std::size_t end = name.rfind('.');
  const std::string_view last =
      end == std::string_view::npos ? name : name.substr(end + 1);
  return last.starts_with("W_") && !isIdle(name, spec);
}

}  // namespace

StepSize stepSize(const Checkpoint& checkpoint, DType dtype) {
  const ModelSpec& spec = checkpoint.spec();
  StepSize size;
  for (const auto& [whole, weight] : checkpoint.weights()) {
    const std::string_view name = withinLayer(whole);
    if (!isMultiplied(name, spec)) continue;
    const std::int64_t elements = weight.shape[0] * weight.shape[1];
    size.elements += elements;
    size.bytes += weight.scales ? mxfp4Bytes(elements)
                                : elements * static_cast<std::int64_t>(byteSize(dtype));
    if (isHead(name, spec)) size.headElements += elements;
  }
  return size;
}

}  // namespace equipatch
