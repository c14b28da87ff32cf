// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

#include "core/checkpoint/spec.h"

namespace equipatch::test {

/// True if a description has the properties that the computation relies on, which must
/// hold whatever its config.json says.
inline bool isSane(const ModelDescription& description) {
  const ModelSpec& spec = description.spec;
  const auto saneRope = [&](const RopeSpec& rope, const LayerSpec& layer) {
    const auto factors = static_cast<std::int64_t>(rope.shortFactors.size());
    if (rope.scaling == RopeScaling::LongRope &&
        (2 * factors != rope.dims || rope.longFactors.size() != rope.shortFactors.size()))
      return false;
    return rope.turningPairs <= rope.dims / 2 && rope.theta > 0 && rope.factor > 0 &&
           std::isfinite(rope.factor) && rope.dims >= 2 && rope.dims % 2 == 0 &&
           rope.dims <= spec.headDimOf(layer) && rope.originalPositions > 0 &&
           rope.magnitude > 0 && std::isfinite(rope.magnitude);
  };
  const auto saneDelta = [](const DeltaNetSpec& delta) {
    return delta.keyHeads > 0 && delta.valueHeads > 0 &&
           delta.valueHeads % delta.keyHeads == 0 && delta.keyDim > 0 &&
           delta.valueDim > 0 && delta.kernel > 0;
  };
  // A layer that reads the keys of an earlier one must find keys of the size that it
  // expects there.
  const auto saneHeads = [&](const LayerSpec& layer) {
    if (spec.headDimOf(layer) <= 0 || spec.kvHeadsOf(layer) <= 0 ||
        spec.heads % spec.kvHeadsOf(layer) != 0)
      return false;
    if (!layer.keysOf) return true;
    const LayerSpec& source = spec.layers.at(static_cast<std::size_t>(*layer.keysOf));
    return &source < &layer && !source.keysOf &&
           spec.headDimOf(source) == spec.headDimOf(layer) &&
           spec.kvHeadsOf(source) == spec.kvHeadsOf(layer);
  };
  if (spec.moe && (spec.moe->active < 1 || spec.moe->active > spec.moe->experts ||
                   spec.moe->expertWidth < 1 || spec.moe->sharedWidth < 0))
    return false;
  return spec.vocabulary > 0 && spec.width > 0 && spec.mlpWidth > 0 && spec.kvHeads > 0 &&
         spec.heads > 0 && spec.heads % spec.kvHeads == 0 && spec.headDim > 0 &&
         spec.layerCount() > 0 && spec.layerCount() <= 1024 && spec.norm.eps > 0 &&
         std::isfinite(spec.logitScale) && std::isfinite(spec.residualScale) &&
         std::all_of(
             spec.layers.begin(), spec.layers.end(),
             [&](const LayerSpec& layer) {
               return layer.attentionScale > 0 && std::isfinite(layer.attentionScale) &&
                      (!layer.rope || saneRope(*layer.rope, layer)) && saneHeads(layer) &&
                      layer.window.value_or(1) > 0 && (!layer.moe || spec.moe) &&
                      (!layer.recurrent || (spec.deltaNet && saneDelta(*spec.deltaNet)));
             }) &&
         std::all_of(description.tensors.begin(), description.tensors.end(),
                     [](const TensorBinding& binding) {
                       double elements = 1;
                       for (const auto extent : binding.shape)
                         elements *= static_cast<double>(extent);
                       return elements > 0 && elements < 0x1p50;
                     });
}

}  // namespace equipatch::test
