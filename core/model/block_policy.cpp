#include "core/model/block_policy.h"

namespace equipatch {

PolicyChain::PolicyChain(std::vector<BlockPolicy*> policies)
    : m_policies(std::move(policies)) {}

void PolicyChain::atMlpInput(const BlockView& block, const Tensor& v, const Tensor& z) {
  for (BlockPolicy* policy : m_policies) policy->atMlpInput(block, v, z);
}

void PolicyChain::atFirstProduct(const BlockView& block, FirstMatrix which, Tensor& y) {
  for (BlockPolicy* policy : m_policies) policy->atFirstProduct(block, which, y);
}

void PolicyChain::atLastProduct(const BlockView& block, const Tensor& h, Tensor& y) {
  for (BlockPolicy* policy : m_policies) policy->atLastProduct(block, h, y);
}

void PolicyChain::atClosingScale(const BlockView& block, const Tensor& n,
                                 Tensor& branch) {
  for (BlockPolicy* policy : m_policies) policy->atClosingScale(block, n, branch);
}

void PolicyChain::atBlockOutput(const BlockView& block, BlockSites& sites) {
  for (BlockPolicy* policy : m_policies) policy->atBlockOutput(block, sites);
}

}  // namespace equipatch
