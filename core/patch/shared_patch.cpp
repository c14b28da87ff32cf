#include "core/patch/shared_patch.h"

#include <algorithm>

#include "core/patch/host_vector.h"

namespace equipatch {

const LowRank* SharedLayerPatch::find(MatrixId matrix) const {
  const auto found =
      std::find_if(matrices.begin(), matrices.end(),
                   [&](const Change& change) { return change.matrix == matrix; });
  return found == matrices.end() ? nullptr : &found->change;
}

SharedPatch sharedPatch(const Patch& patch) {
  SharedPatch shared;
  for (const LayerPatch& layer : patch) {
    shared.push_back({{}, layer.scale, layer.bias});
    for (const MatrixPatch& matrix : layer.matrices)
      shared.back().matrices.push_back({matrix.matrix, LowRank(matrix.change)});
  }
  return shared;
}

void applyToAllRows(const LowRank& change, Product& product, Application application,
                    const Arithmetic& arithmetic) {
  if (application == Application::Factored) {
    const Columns added = change.times(hostColumns(product.input));
    product.output = product.output + toRows(added, product.output.options());
    return;
  }
  const auto options = product.output.options();
  const Tensor U = toRows(change.U.transpose(), options);  // [outputs, k]
  const Tensor V = toRows(change.V.transpose(), options);
  const Tensor stored = arithmetic.roundAsWeight(
      at::addmm(product.linear.weight.to(arithmetic.wide()), U, V.t()));
  // A last product comes without its bias.
  product.output = arithmetic.product(
      product.input,
      {.weight = stored.to(arithmetic.storage()),
       .bias = product.id.role == MatrixRole::Down ? Tensor() : product.linear.bias});
}

const SharedLayerPatch& SharedWeights::at(const BlockView& block) const {
  return m_patch.at(static_cast<std::size_t>(block.layer.value));
}

void SharedWeights::apply(const BlockView& block, Product& product) const {
  if (const LowRank* change = at(block).find(product.id))
    applyToAllRows(*change, product, m_application, block.arithmetic);
}

void SharedWeights::hookInProjection(const BlockView& block, Product& product) {
  apply(block, product);
}

void SharedWeights::hookDownProjection(const BlockView& block,
                                       std::vector<DownProduct>& last) {
  for (DownProduct& product : last) apply(block, product);
}

void SharedWeights::hookOutBias(const BlockView& block, Tensor& bias) {
  if (const auto& changed = at(block).bias)
    bias = toTensor(*changed, bias.options()).expand_as(bias);
}

void SharedWeights::hookOutScale(const BlockView& block, const Tensor& n,
                                 Tensor& branch) {
  if (const auto& scale = at(block).scale)
    branch = block.outer.branch(n, toTensor(*scale, n.options()), block.arithmetic);
}

}  // namespace equipatch
