// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/network/attention_loops.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "trainer/network/row_loops.h"

namespace equipatch {
namespace {

/// Keys are processed in blocks; keys that the query does not attend to are masked.
constexpr std::int64_t kBlock = 16;
constexpr float kMasked = -1e30f;

constexpr std::int64_t kHalf = kHeadDim / 2;  // rotated pairs

std::int64_t blocksBegin(std::int64_t first) {
  return first / kBlock * kBlock;
}
std::int64_t blocksEnd(std::int64_t end) {
  return (end + kBlock - 1) / kBlock * kBlock;
}

/// One vector register of 512 bits, or several smaller ones.
using Lanes [[gnu::vector_size(kBlock * sizeof(float))]] = float;

/// out[j] = Σ_i row[i] · columns[i, j] for begin ≤ j < end, both multiples of kBlock.
void products(const HeadRow& row, const std::vector<float>& columns, std::int64_t begin,
              std::int64_t end, float* out) {
  const auto stride = static_cast<std::int64_t>(columns.size()) / kHeadDim;
  for (std::int64_t block = begin; block < end; block += kBlock) {
    Lanes sums = {};
    for (std::int64_t i = 0; i < kHeadDim; ++i) {
      Lanes column;
      std::memcpy(&column, columns.data() + i * stride + block, sizeof column);
      sums += row[static_cast<std::size_t>(i)] * column;
    }
    std::memcpy(out + block, &sums, sizeof sums);
  }
}

}  // namespace

DocumentAttention::Rotation::Rotation(const NetworkShape& shape, double period) {
  for (std::int64_t position = 0; position < shape.maxPositions; ++position)
    for (std::int64_t i = 0; i < kHalf; ++i) {
      const double angle =
          static_cast<double>(position) *
          std::pow(period, -static_cast<double>(i) / static_cast<double>(kHalf));
      cosines.push_back(static_cast<float>(std::cos(angle)));
      sines.push_back(static_cast<float>(std::sin(angle)));
    }
}

template <typename Element>
void DocumentAttention::load(const Element* qkv, std::int64_t tokens, std::int64_t column,
                             Head& head) {
  const std::int64_t stride = m_shape.queryWidth() + 2 * m_shape.keyWidth();
  const auto size = static_cast<std::size_t>(tokens * kHeadDim);
  head.raw.resize(size);
  head.gradient.assign(size, 0);
  for (std::int64_t token = 0; token < tokens; ++token)
    for (std::int64_t i = 0; i < kHeadDim; ++i)
      head.raw[static_cast<std::size_t>(token * kHeadDim + i)] =
          qkv[token * stride + column + i];
  head.value = head.raw;
}

void DocumentAttention::rotateNormed(const Layer& layer, const float* scale,
                                     std::int64_t tokens, Head& head) {
  head.inverseRms.resize(static_cast<std::size_t>(tokens));
  for (std::int64_t token = 0; token < tokens; ++token) {
    const float* raw = head.raw.data() + token * kHeadDim;
    float* value = head.value.data() + token * kHeadDim;
    float squares = 0;
    for (std::int64_t i = 0; i < kHeadDim; ++i) squares += raw[i] * raw[i];
    const float inverseRms = 1 / std::sqrt(squares / static_cast<float>(kHeadDim) +
                                           static_cast<float>(m_shape.epsilon));
    head.inverseRms[static_cast<std::size_t>(token)] = inverseRms;
    const float* cosines = layer.rotation->cosines.data() + token * kHalf;
    const float* sines = layer.rotation->sines.data() + token * kHalf;
    for (std::int64_t i = 0; i < kHalf; ++i) {
      const float a = raw[i] * inverseRms * (1 + scale[i]);
      const float b = raw[kHalf + i] * inverseRms * (1 + scale[kHalf + i]);
      value[i] = a * cosines[i] - b * sines[i];
      value[kHalf + i] = b * cosines[i] + a * sines[i];
    }
  }
}

void DocumentAttention::transpose(std::int64_t tokens, Head& head) {
  const std::int64_t stride = blocksEnd(tokens);
  head.transposed.assign(static_cast<std::size_t>(kHeadDim * stride), 0);
  for (std::int64_t token = 0; token < tokens; ++token)
    for (std::int64_t i = 0; i < kHeadDim; ++i)
      head.transposed[static_cast<std::size_t>(i * stride + token)] =
          head.value[static_cast<std::size_t>(token * kHeadDim + i)];
}

void DocumentAttention::rotateNormedBackward(const Layer& layer, const float* scale,
                                             std::int64_t tokens, Head& head,
                                             float* dScale) {
  for (std::int64_t token = 0; token < tokens; ++token) {
    const float* raw = head.raw.data() + token * kHeadDim;
    float* d = head.gradient.data() + token * kHeadDim;
    const float inverseRms = head.inverseRms[static_cast<std::size_t>(token)];
    const float* cosines = layer.rotation->cosines.data() + token * kHalf;
    const float* sines = layer.rotation->sines.data() + token * kHalf;
    for (std::int64_t i = 0; i < kHalf; ++i) {
      const float a = d[i];
      const float b = d[kHalf + i];
      d[i] = a * cosines[i] + b * sines[i];
      d[kHalf + i] = b * cosines[i] - a * sines[i];
    }
    float projection = 0;
    for (std::int64_t i = 0; i < kHeadDim; ++i) {
      const float n = raw[i] * inverseRms;
      dScale[i] += d[i] * n;
      d[i] *= 1 + scale[i];
      projection += d[i] * n;
    }
    projection *= inverseRms / static_cast<float>(kHeadDim);
    for (std::int64_t i = 0; i < kHeadDim; ++i)
      d[i] = inverseRms * (d[i] - raw[i] * projection);
  }
}

template <typename Element>
void DocumentAttention::store(const Head& head, std::int64_t tokens, std::int64_t column,
                              Element* dQkv) {
  const std::int64_t stride = m_shape.queryWidth() + 2 * m_shape.keyWidth();
  for (std::int64_t token = 0; token < tokens; ++token)
    for (std::int64_t i = 0; i < kHeadDim; ++i)
      dQkv[token * stride + column + i] =
          head.gradient[static_cast<std::size_t>(token * kHeadDim + i)];
}

void DocumentAttention::weigh(const HeadRow& query, std::int64_t first,
                              std::int64_t token) {
  const std::int64_t begin = blocksBegin(first);
  const std::int64_t end = blocksEnd(token + 1);
  float* weights = m_weights.data();
  products(query, m_key.transposed, begin, end, weights);
  std::fill(weights + begin, weights + first, kMasked);
  std::fill(weights + token + 1, weights + end, kMasked);
  const float largest = *std::max_element(weights + first, weights + token + 1);
  const float scale = 1 / std::sqrt(static_cast<float>(kHeadDim));
  float sum = 0;
  for (std::int64_t j = begin; j < end; ++j) {
    weights[j] = std::exp((weights[j] - largest) * scale);
    sum += weights[j];
  }
  for (std::int64_t j = begin; j < end; ++j) weights[j] /= sum;
}

HeadRow DocumentAttention::rowOf(const Head& head, std::int64_t token) {
  HeadRow row;
  std::copy_n(head.value.begin() + token * kHeadDim, kHeadDim, row.begin());
  return row;
}

HeadRow DocumentAttention::weightedValues(std::int64_t first, std::int64_t token) const {
  HeadRow sum = {};
  for (std::int64_t j = first; j <= token; ++j) {
    const float weight = m_weights[static_cast<std::size_t>(j)];
    const float* value = m_value.value.data() + j * kHeadDim;
    for (std::size_t i = 0; i < kHeadDim; ++i) sum[i] += weight * value[i];
  }
  return sum;
}

/// Needs m_weights from `weigh` for the same token. Sets the query's gradient and adds to
/// the gradients of keys and values. `dRow` is the gradient of the query's output row.
void DocumentAttention::backwardRow(std::int64_t token, std::int64_t first,
                                    const HeadRow& dRow) {
  const float* dOut = dRow.data();
  const float* weights = m_weights.data();
  float* dWeights = m_dWeights.data();
  products(dRow, m_value.transposed, blocksBegin(first), blocksEnd(token + 1), dWeights);
  float mean = 0;
  for (std::int64_t j = first; j <= token; ++j) mean += weights[j] * dWeights[j];
  const float scale = 1 / std::sqrt(static_cast<float>(kHeadDim));
  const float* query = m_query.value.data() + token * kHeadDim;
  HeadRow dQuery = {};
  for (std::int64_t j = first; j <= token; ++j) {
    const float dScore = weights[j] * (dWeights[j] - mean) * scale;
    const float weight = weights[j];
    const float* __restrict key = m_key.value.data() + j * kHeadDim;
    float* __restrict dKey = m_key.gradient.data() + j * kHeadDim;
    float* __restrict dValue = m_value.gradient.data() + j * kHeadDim;
    for (std::size_t i = 0; i < kHeadDim; ++i) {
      dValue[i] += weight * dOut[i];
      dKey[i] += dScore * query[i];
      dQuery[i] += dScore * key[i];
    }
  }
  std::ranges::copy(dQuery, m_query.gradient.begin() + token * kHeadDim);
}

std::int64_t DocumentAttention::keyColumn(std::int64_t head) const {
  return m_shape.queryWidth() + head / m_shape.headsPerKey() * kHeadDim;
}

template <typename Element>
void DocumentAttention::loadHead(const Layer& layer, std::int64_t tokens,
                                 const Element* qkv, std::int64_t head) {
  if (head % m_shape.headsPerKey() == 0) {
    load(qkv, tokens, keyColumn(head), m_key);
    load(qkv, tokens, keyColumn(head) + m_shape.keyWidth(), m_value);
    rotateNormed(layer, layer.keyNorm, tokens, m_key);
    transpose(tokens, m_key);
  }
  load(qkv, tokens, head * kHeadDim, m_query);
  rotateNormed(layer, layer.queryNorm, tokens, m_query);
}

template <typename Element>
void DocumentAttention::forward(const Layer& layer, std::int64_t tokens,
                                const Element* qkv, Element* out) {
  m_weights.resize(static_cast<std::size_t>(blocksEnd(tokens)));
  for (std::int64_t head = 0; head < m_shape.heads; ++head) {
    loadHead(layer, tokens, qkv, head);
    for (std::int64_t token = 0; token < tokens; ++token) {
      const std::int64_t first = layer.firstKey(token);
      weigh(rowOf(m_query, token), first, token);
      const HeadRow sum = weightedValues(first, token);
      std::ranges::copy(sum, out + token * m_shape.queryWidth() + head * kHeadDim);
    }
  }
}

template <typename Element>
void DocumentAttention::backward(const Layer& layer, std::int64_t tokens,
                                 const Element* qkv, const Element* dOut, Element* dQkv,
                                 const NormGradients& gradients) {
  const std::int64_t group = m_shape.headsPerKey();
  m_weights.resize(static_cast<std::size_t>(blocksEnd(tokens)));
  m_dWeights.resize(static_cast<std::size_t>(blocksEnd(tokens)));
  for (std::int64_t head = 0; head < m_shape.heads; ++head) {
    loadHead(layer, tokens, qkv, head);
    if (head % group == 0) transpose(tokens, m_value);
    for (std::int64_t token = 0; token < tokens; ++token) {
      const std::int64_t first = layer.firstKey(token);
      weigh(rowOf(m_query, token), first, token);
      const Element* row = dOut + token * m_shape.queryWidth() + head * kHeadDim;
      HeadRow dRow;
      std::copy(row, row + kHeadDim, dRow.begin());
      backwardRow(token, first, dRow);
    }
    rotateNormedBackward(layer, layer.queryNorm, tokens, m_query, gradients.query);
    store(m_query, tokens, head * kHeadDim, dQkv);
    if ((head + 1) % group == 0) {
      rotateNormedBackward(layer, layer.keyNorm, tokens, m_key, gradients.key);
      store(m_key, tokens, keyColumn(head), dQkv);
      store(m_value, tokens, keyColumn(head) + m_shape.keyWidth(), dQkv);
    }
  }
}

template void DocumentAttention::forward(const Layer&, std::int64_t, const float*,
                                         float*);
template void DocumentAttention::forward(const Layer&, std::int64_t, const Bfloat*,
                                         Bfloat*);
template void DocumentAttention::backward(const Layer&, std::int64_t, const float*,
                                          const float*, float*, const NormGradients&);
template void DocumentAttention::backward(const Layer&, std::int64_t, const Bfloat*,
                                          const Bfloat*, Bfloat*, const NormGradients&);

}  // namespace equipatch
