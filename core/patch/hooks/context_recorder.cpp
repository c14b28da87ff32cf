// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/hooks/context_recorder.h"

#include <algorithm>

namespace equipatch {
namespace {

std::size_t indexOf(const HookedBlock& block) {
  return static_cast<std::size_t>(block.layer.value);
}

}  // namespace

const Tensor* ContextSites::target(MatrixId matrix) const {
  const auto found = std::ranges::find(inProjections, matrix, &ProjectionTarget::matrix);
  return found == inProjections.end() ? nullptr : &found->output;
}

std::vector<DownInput> downInputs(const std::vector<DownProduct>& down,
                                  std::int64_t row) {
  std::vector<DownInput> inputs;
  for (const DownProduct& product : down)
    if (const RowIndex index = product.indexOf(row))
      inputs.push_back(
          {product.id, {product.gate(*index), hostRow(product.input, *index)}});
  return inputs;
}

ContextSites& ContextRecorder::at(const HookedBlock& block) {
  return m_record.at(indexOf(block));
}

void ContextRecorder::hookMlpIn(const HookedBlock& block, const Tensor& resid_mid,
                                const Tensor& mlp_in) {
  m_residMid = resid_mid;
  ContextSites& sites = at(block);
  sites.inProjections.clear();
  sites.downInputs.clear();
  sites.resid_mid = hostRow(resid_mid, m_row);
  sites.mlp_in = hostRow(mlp_in, m_row);
}

void ContextRecorder::hookInProjection(const HookedBlock& block, Product& product) {
  const RowIndex index = product.indexOf(m_row);
  if (!index) return;
  const Tensor row = product.output.select(0, *index);
  at(block).inProjections.push_back({product.id, block.arithmetic.rounds()
                                                     ? block.arithmetic.round(row)
                                                     : row.clone()});
}

void ContextRecorder::hookDownProjection(const HookedBlock& block,
                                         std::vector<DownProduct>& down) {
  ContextSites& sites = at(block);
  const Tensor row = mlpOutputOf(block, down, m_row);
  if (m_inputs == DownInputs::Keep) sites.downInputs = downInputs(down, m_row);
  sites.mlp_out = hostRow(row, 0);
  if (block.weights.hasDenseBeside()) {
    const BesideBranches branches = besideBranches(block, down, m_row);
    sites.dense = hostRow(branches.dense, 0);
    sites.experts = hostRow(branches.experts, 0);
  }
  const Tensor sum =
      block.outer.sum(m_residMid.narrow(0, m_row, 1), row, block.arithmetic);
  sites.sum = hostRow(sum, 0);
  sites.resid_post = hostRow(block.outer.finish(sum, block.arithmetic), 0);
  if (block.outer.closesWithScale())
    sites.normalised = hostRow(
        block.outer.normalisedOutput(block.arithmetic.round(row), block.arithmetic), 0);
}

void ContextRecorder::hookResidPost(const HookedBlock& block, BlockSites& sites) {
  at(block).resid_post = hostRow(sites.resid_post, m_row);
}

void HiddenErrorProbe::hookResidPost(const HookedBlock& block, BlockSites& sites) {
  const Vector& wanted = m_record.at(indexOf(block)).resid_post;
  const double size = wanted.norm();
  const double error = (hostRow(sites.resid_post, m_row) - wanted).norm();
  m_errors.push_back(error == 0.0 ? 0.0 : error / size);
}

}  // namespace equipatch
