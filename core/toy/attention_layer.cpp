#include "core/toy/attention_layer.h"

namespace equipatch::toy {

AttentionLayer::AttentionLayer(const AttentionShape& shape, Random& random,
                               at::ScalarType dtype)
    : m_attention(shape, random, dtype) {}

Tensor AttentionLayer::withContext(const Tensor& columns) const {
  return m_attention.forward(columns.slice(1, -1), columns).squeeze(1);
}

/// The query once for each part of its context. @param allowed [parts, N + 1]
Tensor AttentionLayer::withParts(const Tensor& columns, const Tensor& allowed) const {
  const Tensor queries = columns.slice(1, -1).expand({-1, allowed.size(0), -1});
  return m_attention.forward(queries, columns, allowed);
}

Tensor AttentionLayer::withPrefixes(const Tensor& columns) const {
  const std::int64_t tokens = columns.size(1);
  Tensor allowed = at::ones({tokens, tokens}, at::kBool).tril(-1);
  allowed.select(1, tokens - 1).fill_(true);  // the query itself
  return withParts(columns, allowed);
}

Tensor AttentionLayer::withSuffixes(const Tensor& columns) const {
  const std::int64_t tokens = columns.size(1);
  return withParts(columns, at::ones({tokens, tokens}, at::kBool).triu());
}

}  // namespace equipatch::toy
