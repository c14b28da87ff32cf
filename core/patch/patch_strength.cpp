#include "core/patch/patch_strength.h"

#include "core/patch/host_vector.h"

namespace equipatch {
namespace {

Vector between(const Vector& from, const Vector& to, double alpha) {
  return from + alpha * (to - from);
}

LayerPatch scaledLayer(LayerPatch patch, const LayerWeights& weights, double alpha) {
  for (MatrixPatch& matrix : patch.matrices) matrix.change.u *= alpha;
  if (patch.scale)
    patch.scale = between(toHost(weights.mlp_post_norm.m), *patch.scale, alpha);
  if (patch.bias)
    patch.bias = between(toHost(weights.mlp.W_down.bias), *patch.bias, alpha);
  return patch;
}

}  // namespace

Patch strengthened(const Patch& patch, const Weights& weights,
                   const PatchStrength& strength) {
  Patch result(patch.size());
  for (std::size_t layer = 0; layer < patch.size(); ++layer)
    if (strength.includes(static_cast<std::int64_t>(layer)))
      result[layer] = scaledLayer(patch[layer], weights.layers[layer], strength.alpha);
  return result;
}

}  // namespace equipatch
