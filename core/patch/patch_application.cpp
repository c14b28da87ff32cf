#include "core/patch/patch_application.h"

#include "core/patch/host_vector.h"

namespace equipatch {

void MatrixApplication::apply(const RankOne& change, const Linear& linear,
                              const Tensor& x, Tensor& y, std::int64_t row) const {
  if (application == Application::Factored) {
    setRow(y, row, hostRow(y, row) + change.times(hostRow(x, row)));
    return;
  }
  const Tensor u = toTensor(change.u, y.options());
  const Tensor w = toTensor(change.w, y.options());
  y.select(0, row).copy_(arithmetic.materialisedProduct(x.select(0, row), linear, u, w));
}

Vector storedScale(const Vector& m, const NormSpec& norm, const Arithmetic& arithmetic) {
  const double offset = norm.storedMinusOne ? 1.0 : 0.0;
  const Vector shifted = (m.array() - offset).matrix();
  const Tensor stored =
      arithmetic.round(toTensor(shifted, at::TensorOptions(arithmetic.wide())));
  return (toHost(stored).array() + offset).matrix();
}

void applyScale(const BlockView& block, const Vector& m, const Tensor& n, Tensor& branch,
                std::int64_t row) {
  const Tensor scale = toTensor(m, n.options());
  branch.select(0, row).copy_(
      block.outer.branch(n.select(0, row), scale, block.arithmetic));
}

const LayerPatch& GivenPatch::at(const BlockView& block) const {
  return m_patch.at(static_cast<std::size_t>(block.layer.value));
}

void GivenPatch::atMlpInput(const BlockView&, const Tensor&, const Tensor& z) {
  m_z = z;
}

void GivenPatch::atFirstProduct(const BlockView& block, FirstMatrix which, Tensor& y) {
  const auto& change = which == FirstMatrix::Gate ? at(block).gate : at(block).up;
  const MatrixApplication matrix{m_application, block.arithmetic};
  if (change) matrix.apply(*change, block.first(which), m_z, y, m_row);
}

void GivenPatch::atLastProduct(const BlockView& block, const Tensor& h, Tensor& y) {
  const MatrixApplication matrix{m_application, block.arithmetic};
  if (at(block).down) matrix.apply(*at(block).down, block.weights.W_down, h, y, m_row);
}

void GivenPatch::atClosingScale(const BlockView& block, const Tensor& n, Tensor& branch) {
  if (at(block).scale) applyScale(block, *at(block).scale, n, branch, m_row);
}

}  // namespace equipatch
