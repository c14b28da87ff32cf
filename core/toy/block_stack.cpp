// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/block_stack.h"

#include "core/toy/layers.h"

namespace equipatch::toy {
namespace {

void append(std::vector<Tensor>& all, const std::vector<Tensor>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

BlockPatch updateOf(const Mlp& mlp, const Tensor& v_C, const Tensor& v) {
  const Tensor effect = v_C - v;
  return {at::linear(effect, mlp.W_in), v / v.square().sum(-1, /*keepdim=*/true), effect};
}

/// The block's output with its patch added to W_in, as in a stored checkpoint.
Tensor patchedOut(const StackBlock& block, const BlockPatch& update, const Tensor& v) {
  const Mlp& mlp = block.mlp();
  const Tensor rowW_in = mlp.W_in + update.u.unsqueeze(2) * update.w.unsqueeze(1);
  return block.outFrom(v, mlp.forwardWith(rowW_in, v) + update.bias);
}

}  // namespace

StackBlock::StackBlock(const AttentionShape& attention, std::int64_t hidden,
                       Random& random, at::ScalarType dtype)
    : m_attention(attention, random, dtype),
      m_attentionNorm(attention.width, dtype),
      m_mlp({attention.width, hidden, attention.width}, random, dtype),
      m_outputNorm(attention.width, dtype) {}

Tensor StackBlock::mid(const Tensor& x) const {
  const std::int64_t tokens = x.size(1);
  const Tensor causal = at::ones({tokens, tokens}, at::kBool).tril();
  return m_attentionNorm.forward(x + m_attention.forward(x, x, causal));
}

Tensor StackBlock::midOfLast(const Tensor& x) const {
  const Tensor last = x.slice(1, -1);
  return m_attentionNorm.forward(last + m_attention.forward(last, x)).squeeze(1);
}

Tensor StackBlock::midAlone(const Tensor& x) const {
  return midOfLast(x.unsqueeze(1));
}

std::vector<Tensor> StackBlock::parameters() const {
  std::vector<Tensor> all = m_attention.parameters();
  append(all, {m_attentionNorm.scale, m_attentionNorm.bias});
  append(all, m_mlp.parameters());
  append(all, {m_outputNorm.scale, m_outputNorm.bias});
  return all;
}

BlockStack::BlockStack(const StackShape& shape, Random& random, at::ScalarType dtype)
    : m_embedding(initialMatrix(random, shape.width, shape.columnSize, dtype)),
      m_readout(initialMatrix(random, 1, shape.width, dtype)) {
  const AttentionShape attention{shape.width, shape.width, shape.heads};
  for (std::int64_t block = 0; block < shape.blocks; ++block)
    m_blocks.emplace_back(attention, shape.hidden, random, dtype);
}

std::vector<Tensor> BlockStack::parameters() const {
  std::vector<Tensor> all{m_embedding, m_readout};
  for (const StackBlock& block : m_blocks) append(all, block.parameters());
  return all;
}

Tensor BlockStack::predict(const Tensor& columns) const {
  Tensor x = embed(columns);
  for (std::size_t block = 0; block + 1 < m_blocks.size(); ++block)
    x = m_blocks[block].out(m_blocks[block].mid(x));
  // The last block's output is needed for the query alone.
  return answer(m_blocks.back().out(m_blocks.back().midOfLast(x)));
}

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
