#include "core/model/block_policy.h"

#include <algorithm>

namespace equipatch {

RowPlace Product::place(std::int64_t row) const {
  if (rows.empty()) return row;
  const auto found = std::find(rows.begin(), rows.end(), row);
  if (found == rows.end()) return std::nullopt;
  return found - rows.begin();
}

Tensor sumOf(const std::vector<LastProduct>& last, std::int64_t row) {
  Tensor sum;
  for (const LastProduct& product : last) {
    const RowPlace place = product.place(row);
    if (!place) continue;
    const Tensor y = product.output.narrow(0, *place, 1);
    if (!product.gates.defined()) return y;
    const Tensor weighed = y * product.gates.narrow(0, *place, 1).unsqueeze(1);
    sum = sum.defined() ? sum + weighed : weighed;
  }
  return sum;
}

PolicyChain::PolicyChain(std::vector<BlockPolicy*> policies)
    : m_policies(std::move(policies)) {}

void PolicyChain::atMlpInput(const BlockView& block, const Tensor& v, const Tensor& z) {
  for (BlockPolicy* policy : m_policies) policy->atMlpInput(block, v, z);
}

void PolicyChain::atFirstProduct(const BlockView& block, Product& product) {
  for (BlockPolicy* policy : m_policies) policy->atFirstProduct(block, product);
}

void PolicyChain::atLastProducts(const BlockView& block, std::vector<LastProduct>& last) {
  for (BlockPolicy* policy : m_policies) policy->atLastProducts(block, last);
}

void PolicyChain::atOuterBias(const BlockView& block, Tensor& bias) {
  for (BlockPolicy* policy : m_policies) policy->atOuterBias(block, bias);
}

void PolicyChain::atClosingScale(const BlockView& block, const Tensor& n,
                                 Tensor& branch) {
  for (BlockPolicy* policy : m_policies) policy->atClosingScale(block, n, branch);
}

void PolicyChain::atBlockOutput(const BlockView& block, BlockSites& sites) {
  for (BlockPolicy* policy : m_policies) policy->atBlockOutput(block, sites);
}

}  // namespace equipatch
