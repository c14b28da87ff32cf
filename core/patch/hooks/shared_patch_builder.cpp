// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/hooks/shared_patch_builder.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/patch/hooks/patch_application.h"
#include "core/patch/host_vector.h"
#include "core/patch/theorems/joint_control.h"
#include "core/patch/theorems/joint_scale.h"

namespace equipatch {
namespace {

/// The batch row of a product's row `index`.
std::int64_t rowAt(const Product& product, std::int64_t index) {
  return product.rows.empty() ? index : product.rows[static_cast<std::size_t>(index)];
}

/// Relative accuracy of activations: eight machine epsilons of the run's dtype, or of the
/// wide dtype if activations are not rounded.
double accuracyOf(const Arithmetic& arithmetic) {
  const DType wide = arithmetic.wide() == at::kDouble ? DType::F64 : DType::F32;
  return 8.0 * machineEpsilon(arithmetic.rounds() ? arithmetic.dtype() : wide);
}

Error impossible(const HookedBlock& block, const std::string& why) {
  return badInput("no single set of weights serves all these tokens: in layer " +
                  std::to_string(block.layer.value) + " " + why +
                  "; choose fewer tokens, or other ones");
}

/// " (the tokens at positions 12 and 14 have the same input)" for the first two inputs
/// with the same direction; empty if all directions differ.
/// @param tokens the tokens to which the columns of `inputs` belong; empty: all
/// @param first the position of token 0
std::string sameInputs(const Columns& inputs, double accuracy,
                       const std::vector<std::int64_t>& tokens, Position first) {
  const Columns directions = inputs.colwise().normalized();
  const auto position = [&](Eigen::Index column) {
    return std::to_string(first.value + (tokens.empty()
                                             ? std::int64_t(column)
                                             : tokens[static_cast<std::size_t>(column)]));
  };
  for (Eigen::Index b = 1; b < inputs.cols(); ++b)
    for (Eigen::Index a = 0; a < b; ++a)
      if ((directions.col(a) - directions.col(b)).norm() < accuracy)
        return " (the tokens at positions " + position(a) + " and " + position(b) +
               " have the same input)";
  return {};
}

/// The inputs of the down projections times the experts' gates, stacked
/// [Σ inputs, tokens]: the input of one matrix that holds all W_down side by side.
Columns stackedInputs(const std::vector<DownProduct>& down, std::int64_t tokens) {
  Eigen::Index height = 0;
  for (const DownProduct& product : down) height += product.input.size(1);
  Columns stacked = Columns::Zero(height, tokens);
  Eigen::Index top = 0;
  for (const DownProduct& product : down) {
    const Columns h = hostColumns(product.input);
    for (Eigen::Index index = 0; index < h.cols(); ++index)
      stacked.block(top, rowAt(product, index), h.rows(), 1) =
          product.gate(index) * h.col(index);
    top += h.rows();
  }
  return stacked;
}

}  // namespace

const ContextSites& SharedPatchBuilder::context(const HookedBlock& block,
                                                std::int64_t token) const {
  return m_contexts[static_cast<std::size_t>(token)].at(
      static_cast<std::size_t>(block.layer.value));
}

void SharedPatchBuilder::hookMlpIn(const HookedBlock&, const Tensor& resid_mid,
                                   const Tensor&) {
  m_patch.emplace_back();
  m_layers.emplace_back();
  m_ledger.clear();
  m_residMid = hostColumns(resid_mid);
}

void SharedPatchBuilder::keep(const Product& product, const LowRank& change) {
  const std::string name = matrixName(product.id);
  m_patch.back().matrices.push_back({product.id, change});
  m_ledger.enter(name, product.linear.norm);
  m_ledger.change(name, change.norm());
}

LowRank SharedPatchBuilder::control(const HookedBlock& block, const std::string& matrix,
                                    const Columns& missing, const Columns& inputs,
                                    const std::vector<std::int64_t>& tokens) const {
  const double accuracy = accuracyOf(block.arithmetic);
  const auto change = jointControl(missing, inputs, accuracy);
  if (!change)
    throw impossible(block, "the inputs of W_" + matrix +
                                " are linearly dependent in a way in which the required "
                                "outputs are not" +
                                sameInputs(inputs, accuracy, tokens, m_first));
  return *change;
}

void SharedPatchBuilder::hookInProjection(const HookedBlock& block, Product& product) {
  const Columns own = hostColumns(product.output);
  Columns missing(own.rows(), own.cols());
  for (Eigen::Index index = 0; index < own.cols(); ++index) {
    const Tensor* wanted = context(block, rowAt(product, index)).target(product.id);
    if (!wanted)
      throw impossible(block, "a token is routed to other experts than with the context");
    missing.col(index) = toHost(*wanted) - own.col(index);
  }
  const LowRank change = control(block, matrixName(product.id), missing,
                                 hostColumns(product.input), product.rows);
  applyToAllRows(change, product, m_application, block.arithmetic);
  keep(product, change);
}

/// What each token's mlp_out lacks [width, tokens]. @param unpatched mlp_out
Columns SharedPatchBuilder::missingOutputs(const HookedBlock& block,
                                           const Columns& unpatched) {
  const double r = block.outer.residualScale();
  Columns g(m_residMid.rows(), tokens());
  for (std::int64_t token = 0; token < tokens(); ++token)
    g.col(token) = (context(block, token).sum - m_residMid.col(token)) / r;
  if (!block.outer.closesWithScale()) return g - unpatched;
  if (block.outer.closesWithNormBias())
    throw impossible(block, "the block ends in a LayerNorm after its branch");
  const Vector m = toHost(block.outer.m());
  auto split = jointSplit(g, m, unpatched, block.outer.norm().eps);
  if (!split)
    throw impossible(block, "no single scale of the closing norm fits all the tokens");
  m_patch.back().scale = split->m;
  return split->hiddenTargets - unpatched;
}

void SharedPatchBuilder::hookDownProjection(const HookedBlock& block,
                                            std::vector<DownProduct>& down) {
  Columns unpatched(m_residMid.rows(), tokens());
  for (std::int64_t token = 0; token < tokens(); ++token)
    unpatched.col(token) = hostRow(mlpOutputOf(block, down, token), 0);
  const Columns missing = missingOutputs(block, unpatched);
  if (block.weights.hasDenseBeside())
    return restoreDense(block, unpatched + missing, down);
  const LowRank change = control(block, "down", missing, stackedInputs(down, tokens()));
  Eigen::Index top = 0;
  for (DownProduct& product : down) {
    const Eigen::Index inputs = product.input.size(1);
    const LowRank own(change.U, change.V.middleRows(top, inputs));
    top += inputs;
    applyToAllRows(own, product, m_application, block.arithmetic);
    keep(product, own);
  }
}

/// See PatchBuilder::restoreDense.
void SharedPatchBuilder::restoreDense(const HookedBlock& block, const Columns& wanted,
                                      std::vector<DownProduct>& down) {
  Columns g = wanted, output(wanted.rows(), wanted.cols());
  for (std::int64_t token = 0; token < tokens(); ++token) {
    const BesideBranches branches = besideBranches(block, down, token);
    g.col(token) -= hostRow(branches.experts, 0);
    output.col(token) = hostRow(branches.dense, 0);
  }
  const Vector m = toHost(block.weights.dense_post_norm.m);
  auto split = jointSplit(g, m, output, block.outer.norm().eps);
  if (!split)
    throw impossible(block,
                     "no single scale of the norm after the dense MLP fits all the "
                     "tokens");
  DownProduct& dense = down.back();
  const LowRank change = control(block, matrixName(dense.id),
                                 split->hiddenTargets - output, hostColumns(dense.input));
  m_patch.back().denseScale = std::move(split->m);
  applyToAllRows(change, dense, m_application, block.arithmetic);
  keep(dense, change);
}

void SharedPatchBuilder::hookDenseScale(const HookedBlock& block, const Tensor& n,
                                        Tensor& branch) {
  std::optional<Vector>& scale = m_patch.back().denseScale;
  if (m_application == Application::Materialised)
    scale = storedScale(*scale, block.outer.norm(), block.arithmetic);
  const Vector m = toHost(block.weights.dense_post_norm.m);
  m_ledger.enter(kDenseScale, m.norm());
  m_ledger.change(kDenseScale, (*scale - m).norm());
  branch = block.outer.branch(n, toTensor(*scale, n.options()), block.arithmetic);
}

void SharedPatchBuilder::hookOutScale(const HookedBlock& block, const Tensor& n,
                                      Tensor& branch) {
  std::optional<Vector>& scale = m_patch.back().scale;
  if (m_application == Application::Materialised)
    scale = storedScale(*scale, block.outer.norm(), block.arithmetic);
  recordScaleDelta(*scale - toHost(block.outer.m()), m_layers.back());
  branch = block.outer.branch(n, toTensor(*scale, n.options()), block.arithmetic);
}

void SharedPatchBuilder::hookResidPost(const HookedBlock& block, BlockSites& sites) {
  m_layers.back().matrices = m_ledger.totals();
  const Columns x = hostColumns(sites.resid_post);
  double worst = 0.0;
  for (std::int64_t token = 0; token < tokens(); ++token) {
    const Vector& wanted = context(block, token).resid_post;
    const double error = (x.col(token) - wanted).norm();
    const double relative = error == 0.0 ? 0.0 : error / wanted.norm();
    if (std::isnan(relative) || relative > worst) worst = relative;
    if (std::isnan(worst)) break;
  }
  m_layers.back().hiddenError = worst;
}

}  // namespace equipatch
