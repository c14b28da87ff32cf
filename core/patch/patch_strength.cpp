#include "core/patch/patch_strength.h"

#include "core/patch/host_vector.h"

namespace equipatch {
namespace {

Vector between(const Vector& from, const Vector& to, double alpha) {
  return from + alpha * (to - from);
}

/// @param bias b of the block's end, as it is stored; undefined where there is none
LayerPatch scaledLayer(LayerPatch patch, const LayerWeights& weights, const Tensor& bias,
                       double alpha) {
  for (MatrixPatch& matrix : patch.matrices) matrix.change.u *= alpha;
  if (patch.scale)
    patch.scale = between(toHost(weights.mlp_post_norm.m), *patch.scale, alpha);
  if (patch.bias) patch.bias = between(toHost(bias), *patch.bias, alpha);
  return patch;
}

}  // namespace

Patch strengthened(const Patch& patch, const ModelSpec& spec, const Weights& weights,
                   const PatchStrength& strength) {
  Patch result(patch.size());
  for (std::size_t layer = 0; layer < patch.size(); ++layer) {
    if (!strength.includes(static_cast<std::int64_t>(layer))) continue;
    const LayerWeights& own = weights.layers[layer];
    const Tensor& bias =
        spec.closesWithNormBias() ? own.mlp_post_norm.bias : own.mlp.W_down.bias;
    result[layer] = scaledLayer(patch[layer], own, bias, strength.alpha);
  }
  return result;
}

}  // namespace equipatch
