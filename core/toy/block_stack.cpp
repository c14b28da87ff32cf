#include "core/toy/block_stack.h"

#include "core/toy/initial_values.h"

namespace equipatch::toy {
namespace {

void append(std::vector<Tensor>& all, const std::vector<Tensor>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

LayerNorm::LayerNorm(std::int64_t width, at::ScalarType dtype)
    : scale(initialVector(width, 1.0, dtype)), bias(initialVector(width, 0.0, dtype)) {}

Tensor LayerNorm::forward(const Tensor& x) const {
  return at::layer_norm(x, {x.size(-1)}, scale, bias);
}

StackBlock::StackBlock(const AttentionShape& attention, std::int64_t hidden,
                       Random& random, at::ScalarType dtype)
    : m_attention(attention, random, dtype),
      m_middle(attention.width, dtype),
      m_mlp({attention.width, hidden, attention.width}, random, dtype),
      m_close(attention.width, dtype) {}

Tensor StackBlock::mid(const Tensor& x) const {
  const std::int64_t tokens = x.size(1);
  const Tensor causal = at::ones({tokens, tokens}, at::kBool).tril();
  return m_middle.forward(x + m_attention.forward(x, x, causal));
}

Tensor StackBlock::midOfLast(const Tensor& x) const {
  const Tensor last = x.slice(1, -1);
  return m_middle.forward(last + m_attention.forward(last, x)).squeeze(1);
}

Tensor StackBlock::midAlone(const Tensor& x) const {
  const Tensor single = x.unsqueeze(1);
  return m_middle.forward(single + m_attention.forward(single, single)).squeeze(1);
}

std::vector<Tensor> StackBlock::parameters() const {
  std::vector<Tensor> all = m_attention.parameters();
  append(all, {m_middle.scale, m_middle.bias});
  append(all, m_mlp.parameters());
  append(all, {m_close.scale, m_close.bias});
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
  // Of the last block nobody asks for more than the query.
  return answer(m_blocks.back().out(m_blocks.back().midOfLast(x)));
}

}  // namespace equipatch::toy
