#include "core/backend/step_factors.h"

namespace equipatch {
namespace {

std::vector<double> plain(const Vector& vector) {
  return {vector.begin(), vector.end()};
}

LayerFactors layerFactors(const LayerPatch& patch, const LayerDiagnostics& diagnostics,
                          const ContextSites& context) {
  LayerFactors factors;
  for (const MatrixPatch& matrix : patch.matrices)
    factors.matrices.push_back({.weight = weightName(matrix.matrix),
                                .u = plain(matrix.change.u),
                                .w = plain(matrix.change.w)});
  if (patch.scale) {
    factors.scale = plain(*patch.scale);
    factors.scaleDelta = plain(diagnostics.scaleDelta);
  }
  if (patch.bias) {
    factors.bias = plain(*patch.bias);
    factors.biasDelta = plain(diagnostics.biasDelta);
  }
  factors.v = plain(diagnostics.v);
  factors.z = plain(diagnostics.z);
  factors.vContext = plain(context.v);
  factors.zContext = plain(context.z);
  return factors;
}

}  // namespace

PatchFactors patchFactors(const SharedPatch& patch) {
  PatchFactors factors;
  for (const SharedLayerPatch& layer : patch) {
    LayerFactors& kept = factors.emplace_back();
    for (const SharedLayerPatch::Change& matrix : layer.matrices)
      for (Eigen::Index token = 0; token < matrix.change.U.cols(); ++token)
        kept.matrices.push_back({.weight = weightName(matrix.matrix),
                                 .u = plain(matrix.change.U.col(token)),
                                 .w = plain(matrix.change.V.col(token))});
    if (layer.scale) kept.scale = plain(*layer.scale);
    if (layer.bias) kept.bias = plain(*layer.bias);
  }
  return factors;
}

std::shared_ptr<const PatchFactors> patchFactors(const PassResults& results) {
  auto factors = std::make_shared<PatchFactors>();
  for (std::size_t layer = 0; layer < results.patch.size(); ++layer)
    factors->push_back(layerFactors(results.patch[layer], results.diagnostics[layer],
                                    results.context[layer]));
  return factors;
}

}  // namespace equipatch
