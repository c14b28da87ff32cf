#include "core/backend/step_factors.h"

namespace equipatch {
namespace {

std::vector<double> plain(const Vector& vector) {
  return {vector.begin(), vector.end()};
}

void keepMatrix(MatrixId matrix, const RankOne& change, LayerFactors& factors) {
  factors.matrices.push_back(
      {.weight = weightName(matrix), .u = plain(change.u), .w = plain(change.w)});
}

/// Each column as a rank-1 change of its own.
void keepMatrix(MatrixId matrix, const LowRank& change, LayerFactors& factors) {
  for (Eigen::Index token = 0; token < change.U.cols(); ++token)
    factors.matrices.push_back({.weight = weightName(matrix),
                                .u = plain(change.U.col(token)),
                                .w = plain(change.V.col(token))});
}

template <typename Change>
LayerFactors layerFactors(const LayerPatchOf<Change>& patch) {
  LayerFactors factors;
  for (const auto& [matrix, change] : patch.matrices) keepMatrix(matrix, change, factors);
  if (patch.scale) factors.scale = plain(*patch.scale);
  if (patch.bias) factors.bias = plain(*patch.bias);
  return factors;
}

}  // namespace

PatchFactors patchFactors(const SharedPatch& patch) {
  PatchFactors factors;
  for (const SharedLayerPatch& layer : patch) factors.push_back(layerFactors(layer));
  return factors;
}

std::shared_ptr<const PatchFactors> patchFactors(const PassResults& results) {
  auto factors = std::make_shared<PatchFactors>();
  for (std::size_t index = 0; index < results.patch.size(); ++index) {
    const LayerDiagnostics& diagnostics = results.diagnostics[index];
    const ContextSites& context = results.context[index];
    LayerFactors& layer = factors->emplace_back(layerFactors(results.patch[index]));
    if (results.patch[index].scale) layer.scaleDelta = plain(diagnostics.scaleDelta);
    if (results.patch[index].bias) layer.biasDelta = plain(diagnostics.biasDelta);
    layer.v = plain(diagnostics.resid_mid);
    layer.z = plain(diagnostics.mlp_in);
    layer.vContext = plain(context.resid_mid);
    layer.zContext = plain(context.mlp_in);
  }
  return factors;
}

}  // namespace equipatch
