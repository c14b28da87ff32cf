// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/hooks/patch_application.h"

#include "core/patch/host_vector.h"

namespace equipatch {
namespace {

/// The matrix's bias if the product includes it. The down projection's product in a dense
/// MLP without experts does not.
Tensor biasIn(const Product& product) {
  const bool after = product.id == MatrixId{MatrixRole::Down};
  return after ? Tensor() : product.linear.bias;
}

Vector between(const Vector& from, const Vector& to, double alpha) {
  return from + alpha * (to - from);
}

/// @param bias the model's own bias that `patch.bias` replaces; may be undefined if
/// `patch` has no bias
LayerPatch scaledLayer(LayerPatch patch, const LayerWeights& weights, const Tensor& bias,
                       double alpha) {
  if (alpha == 1.0) return patch;
  for (MatrixPatch& matrix : patch.matrices) matrix.change.u *= alpha;
  if (patch.scale)
    patch.scale = between(toHost(weights.mlp_post_norm.m), *patch.scale, alpha);
  if (patch.bias) patch.bias = between(toHost(bias), *patch.bias, alpha);
  if (patch.denseScale)
    patch.denseScale =
        between(toHost(weights.dense_post_norm.m), *patch.denseScale, alpha);
  return patch;
}

}  // namespace

void applyToRow(const RankOne& change, Product& product, std::int64_t index,
                Application application, const Arithmetic& arithmetic) {
  Tensor& y = product.output;
  if (application == Application::Factored) {
    addToRow(y, index, dotRow(product.input, index, change.w), change.u);
    return;
  }
  const Tensor u = toTensor(change.u, y.options());
  const Tensor w = toTensor(change.w, y.options());
  const Linear linear{.weight = product.linear.weight,
                      .bias = biasIn(product),
                      .packed = product.linear.packed};
  y.select(0, index).copy_(
      arithmetic.materialisedProduct(product.input.select(0, index), linear, u, w));
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
  const Linear& linear = product.linear;
  const Tensor weight = linear.rows(0, linear.outputs(), arithmetic.weightOptions());
  const Tensor stored =
      arithmetic.roundAsWeight(at::addmm(weight.to(arithmetic.wide()), U, V.t()));
  product.output = arithmetic.product(
      product.input,
      {.weight = stored.to(arithmetic.weightType()), .bias = biasIn(product)});
}

Vector storedBias(const Vector& b, const Arithmetic& arithmetic) {
  return toHost(
      arithmetic.roundAsWeight(toTensor(b, at::TensorOptions(arithmetic.wide()))));
}

Vector storedScale(const Vector& m, const NormSpec& norm, const Arithmetic& arithmetic) {
  const double offset = norm.storedMinusOne ? 1.0 : 0.0;
  const Vector shifted = (m.array() - offset).matrix();
  return (storedBias(shifted, arithmetic).array() + offset).matrix();
}

Patch storedPatch(Patch patch, const NormSpec& norm, const Arithmetic& arithmetic) {
  for (LayerPatch& layer : patch) {
    if (layer.scale) layer.scale = storedScale(*layer.scale, norm, arithmetic);
    if (layer.denseScale)
      layer.denseScale = storedScale(*layer.denseScale, norm, arithmetic);
    if (layer.bias) layer.bias = storedBias(*layer.bias, arithmetic);
  }
  return patch;
}

void applyBias(const Vector& b, Tensor& bias, std::int64_t row) {
  bias = bias.clone();
  setRow(bias, row, b);
}

void applyScale(const HookedBlock& block, const Vector& m, const Tensor& n,
                Tensor& branch, std::int64_t row) {
  const Tensor scale = toTensor(m, n.options());
  branch.select(0, row).copy_(
      block.outer.branch(n.select(0, row), scale, block.arithmetic));
}

void applyNormBias(const HookedBlock& block, const Vector& b, const Tensor& n,
                   Tensor& branch, std::int64_t row) {
  const NormWeights weights{block.outer.m(), toTensor(b, n.options())};
  branch.select(0, row).copy_(
      block.outer.branch(n.select(0, row), weights, block.arithmetic));
}

void GivenPatch::apply(const RankOne& change, Product& product,
                       const Arithmetic& arithmetic) const {
  if (const RowIndex index = product.indexOf(m_row))
    applyToRow(change, product, *index, application(), arithmetic);
}

void GivenPatch::hookOutBias(const HookedBlock& block, Tensor& bias) {
  const bool followsDown = !block.outer.closesWithNormBias();
  if (followsDown && at(block).bias) applyBias(*at(block).bias, bias, m_row);
}

void GivenPatch::hookDenseScale(const HookedBlock& block, const Tensor& n,
                                Tensor& branch) {
  if (const auto& scale = at(block).denseScale)
    applyScale(block, *scale, n, branch, m_row);
}

void GivenPatch::hookOutScale(const HookedBlock& block, const Tensor& n, Tensor& branch) {
  const LayerPatch& patch = at(block);
  if (patch.scale) applyScale(block, *patch.scale, n, branch, m_row);
  if (patch.bias && block.outer.closesWithNormBias())
    applyNormBias(block, *patch.bias, n, branch, m_row);
}

void SharedWeights::apply(const LowRank& change, Product& product,
                          const Arithmetic& arithmetic) const {
  applyToAllRows(change, product, application(), arithmetic);
}

void SharedWeights::hookDenseScale(const HookedBlock& block, const Tensor& n,
                                   Tensor& branch) {
  if (const auto& scale = at(block).denseScale)
    branch = block.outer.branch(n, toTensor(*scale, n.options()), block.arithmetic);
}

void SharedWeights::hookOutScale(const HookedBlock& block, const Tensor& n,
                                 Tensor& branch) {
  if (const auto& scale = at(block).scale)
    branch = block.outer.branch(n, toTensor(*scale, n.options()), block.arithmetic);
}

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
