#include "core/toy/stack_patch.h"

namespace equipatch::toy {
namespace {

BlockUpdate updateOf(const Mlp& mlp, const Tensor& v_C, const Tensor& v) {
  const Tensor missing = v_C - v;
  return {at::linear(missing, mlp.W_in), v / v.square().sum(-1, /*keepdim=*/true),
          missing};
}

/// With the matrices really formed, as one would store them.
Tensor patchedOut(const StackBlock& block, const BlockUpdate& update, const Tensor& v) {
  const Mlp& mlp = block.mlp();
  const Tensor ownW_in = mlp.W_in + update.u.unsqueeze(2) * update.w.unsqueeze(1);
  return block.outFrom(v, mlp.forwardWith(ownW_in, v) + update.bias);
}

}  // namespace

StackSites contextualSites(const BlockStack& stack, const Tensor& columns) {
  StackSites sites;
  Tensor x = stack.embed(columns);
  for (const StackBlock& block : stack.blocks()) {
    sites.mids.push_back(block.mid(x));
    x = block.out(sites.mids.back());
    sites.outs.push_back(x);
  }
  return sites;
}

PatchedStack patchedStack(const BlockStack& stack, const Tensor& columns,
                          const std::vector<Tensor>& contextMids) {
  PatchedStack patched;
  Tensor x = stack.embed(columns);
  for (std::size_t index = 0; index < stack.blocks().size(); ++index) {
    const StackBlock& block = stack.blocks()[index];
    const Tensor v = block.midAlone(x);
    patched.updates.push_back(updateOf(block.mlp(), contextMids[index], v));
    x = patchedOut(block, patched.updates.back(), v);
    patched.outs.push_back(x);
  }
  return patched;
}

}  // namespace equipatch::toy
