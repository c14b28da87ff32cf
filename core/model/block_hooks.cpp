// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/block_hooks.h"

#include <algorithm>

namespace equipatch {

RowIndex Product::indexOf(std::int64_t row) const {
  if (rows.empty()) return row;
  const auto found = std::find(rows.begin(), rows.end(), row);
  if (found == rows.end()) return std::nullopt;
  return found - rows.begin();
}

Tensor sumOf(const std::vector<DownProduct>& down, std::int64_t row) {
  Tensor sum;
  for (const DownProduct& product : down) {
    const RowIndex index = product.indexOf(row);
    if (!index || product.id.expert == MatrixId::kBeside) continue;
    const Tensor y = product.output.narrow(0, *index, 1);
    if (!product.gates.defined()) return y;
    const Tensor weighted = y * product.gates.narrow(0, *index, 1).unsqueeze(1);
    sum = sum.defined() ? sum + weighted : weighted;
  }
  return sum;
}

const Tensor& biasAfter(const std::vector<DownProduct>& down) {
  static const Tensor none;
  const DownProduct& first = down.front();
  return first.id.expert == MatrixId::kDense ? first.linear.bias : none;
}

BesideBranches besideBranches(const HookedBlock& block,
                              const std::vector<DownProduct>& down, std::int64_t row) {
  const Arithmetic& arithmetic = block.arithmetic;
  return {
      .dense = down.back().output.narrow(0, row, 1),
      .experts = norm(arithmetic.round(sumOf(down, row)), block.weights.experts_post_norm,
                      block.outer.norm(), arithmetic)};
}

Tensor mlpOutputOf(const HookedBlock& block, const std::vector<DownProduct>& down,
                   std::int64_t row) {
  if (block.weights.hasDenseBeside()) {
    const BesideBranches branches = besideBranches(block, down, row);
    return norm(block.arithmetic.round(branches.dense), block.weights.dense_post_norm,
                block.outer.norm(), block.arithmetic) +
           branches.experts;
  }
  const Tensor sum = sumOf(down, row);
  const Tensor& bias = biasAfter(down);
  return bias.defined() ? sum + bias : sum;
}

HookChain::HookChain(std::vector<BlockHooks*> hooks) : m_hooks(std::move(hooks)) {}

void HookChain::hookMlpIn(const HookedBlock& block, const Tensor& resid_mid,
                          const Tensor& mlp_in) {
  for (BlockHooks* hooks : m_hooks) hooks->hookMlpIn(block, resid_mid, mlp_in);
}

void HookChain::hookInProjection(const HookedBlock& block, Product& product) {
  for (BlockHooks* hooks : m_hooks) hooks->hookInProjection(block, product);
}

void HookChain::hookDownProjection(const HookedBlock& block,
                                   std::vector<DownProduct>& down) {
  for (BlockHooks* hooks : m_hooks) hooks->hookDownProjection(block, down);
}

void HookChain::hookOutBias(const HookedBlock& block, Tensor& bias) {
  for (BlockHooks* hooks : m_hooks) hooks->hookOutBias(block, bias);
}

void HookChain::hookDenseScale(const HookedBlock& block, const Tensor& n,
                               Tensor& branch) {
  for (BlockHooks* hooks : m_hooks) hooks->hookDenseScale(block, n, branch);
}

void HookChain::hookOutScale(const HookedBlock& block, const Tensor& n, Tensor& branch) {
  for (BlockHooks* hooks : m_hooks) hooks->hookOutScale(block, n, branch);
}

void HookChain::hookResidPost(const HookedBlock& block, BlockSites& sites) {
  for (BlockHooks* hooks : m_hooks) hooks->hookResidPost(block, sites);
}

void HookChain::hookOutput(const HookedBlock& block, const Tensor& output) {
  for (BlockHooks* hooks : m_hooks) hooks->hookOutput(block, output);
}

}  // namespace equipatch
