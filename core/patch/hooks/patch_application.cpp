#include "core/patch/hooks/patch_application.h"

#include "core/patch/host_vector.h"

namespace equipatch {

void MatrixApplication::apply(const RankOne& change, Product& product,
                              std::int64_t place) const {
  Tensor& y = product.output;
  if (application == Application::Factored) {
    addToRow(y, place, dotRow(product.input, place, change.w), change.u);
    return;
  }
  const Tensor u = toTensor(change.u, y.options());
  const Tensor w = toTensor(change.w, y.options());
  // A last product comes without its bias.
  const Linear linear{
      .weight = product.linear.weight,
      .bias = product.id.role == MatrixRole::Down ? Tensor() : product.linear.bias};
  y.select(0, place).copy_(
      arithmetic.materialisedProduct(product.input.select(0, place), linear, u, w));
}

Vector storedScale(const Vector& m, const NormSpec& norm, const Arithmetic& arithmetic) {
  const double offset = norm.storedMinusOne ? 1.0 : 0.0;
  const Vector shifted = (m.array() - offset).matrix();
  const Tensor stored =
      arithmetic.roundAsWeight(toTensor(shifted, at::TensorOptions(arithmetic.wide())));
  return (toHost(stored).array() + offset).matrix();
}

void applyBias(const Vector& b, Tensor& bias, std::int64_t row) {
  bias = bias.clone();
  setRow(bias, row, b);
}

void applyScale(const BlockView& block, const Vector& m, const Tensor& n, Tensor& branch,
                std::int64_t row) {
  const Tensor scale = toTensor(m, n.options());
  branch.select(0, row).copy_(
      block.outer.branch(n.select(0, row), scale, block.arithmetic));
}

void applyNormBias(const BlockView& block, const Vector& b, const Tensor& n,
                   Tensor& branch, std::int64_t row) {
  const NormWeights weights{block.outer.m(), toTensor(b, n.options())};
  branch.select(0, row).copy_(
      block.outer.branch(n.select(0, row), weights, block.arithmetic));
}

const LayerPatch& GivenPatch::at(const BlockView& block) const {
  return m_patch.at(static_cast<std::size_t>(block.layer.value));
}

void GivenPatch::apply(const BlockView& block, Product& product) const {
  const RankOne* change = at(block).find(product.id);
  const RowPlace place = product.place(m_row);
  const MatrixApplication matrix{m_application, block.arithmetic};
  if (change && place) matrix.apply(*change, product, *place);
}

void GivenPatch::hookInProjection(const BlockView& block, Product& product) {
  apply(block, product);
}

void GivenPatch::hookDownProjection(const BlockView& block,
                                    std::vector<DownProduct>& last) {
  for (DownProduct& product : last) apply(block, product);
}

void GivenPatch::hookOutBias(const BlockView& block, Tensor& bias) {
  const bool own = !block.outer.closesWithNormBias();
  if (own && at(block).bias) applyBias(*at(block).bias, bias, m_row);
}

void GivenPatch::hookOutScale(const BlockView& block, const Tensor& n, Tensor& branch) {
  const LayerPatch& patch = at(block);
  if (patch.scale) applyScale(block, *patch.scale, n, branch, m_row);
  if (patch.bias && block.outer.closesWithNormBias())
    applyNormBias(block, *patch.bias, n, branch, m_row);
}

}  // namespace equipatch
