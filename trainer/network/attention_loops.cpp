#include "trainer/network/attention_loops.h"

#include <algorithm>
#include <cmath>

#include "trainer/network/bfloat.h"

namespace equipatch {

DocumentAttention::Rotation::Rotation(const NetworkShape& shape, double period) {
  const std::int64_t half = shape.headDim / 2;
  for (std::int64_t position = 0; position < shape.maxPositions; ++position)
    for (std::int64_t i = 0; i < half; ++i) {
      const double angle =
          static_cast<double>(position) *
          std::pow(period, -static_cast<double>(i) / static_cast<double>(half));
      cosines.push_back(static_cast<float>(std::cos(angle)));
      sines.push_back(static_cast<float>(std::sin(angle)));
    }
}

template <typename Element>
void DocumentAttention::load(const Element* qkv, std::int64_t tokens, std::int64_t column,
                             Head& head) {
  const std::int64_t stride = m_shape.queryWidth() + 2 * m_shape.keyWidth();
  const std::int64_t width = m_shape.headDim;
  const auto size = static_cast<std::size_t>(tokens * width);
  head.raw.resize(size);
  head.gradient.assign(size, 0);
  for (std::int64_t token = 0; token < tokens; ++token)
    for (std::int64_t i = 0; i < width; ++i)
      head.raw[static_cast<std::size_t>(token * width + i)] =
          qkv[token * stride + column + i];
  head.value = head.raw;
}

void DocumentAttention::rotateNormed(const Layer& layer, const float* scale,
                                     std::int64_t tokens, Head& head) {
  const std::int64_t width = m_shape.headDim;
  const std::int64_t half = width / 2;
  head.inverse.resize(static_cast<std::size_t>(tokens));
  for (std::int64_t token = 0; token < tokens; ++token) {
    const float* raw = head.raw.data() + token * width;
    float* value = head.value.data() + token * width;
    float squares = 0;
    for (std::int64_t i = 0; i < width; ++i) squares += raw[i] * raw[i];
    const float inverse = 1 / std::sqrt(squares / static_cast<float>(width) +
                                        static_cast<float>(m_shape.epsilon));
    head.inverse[static_cast<std::size_t>(token)] = inverse;
    const float* cosines = layer.rotation->cosines.data() + token * half;
    const float* sines = layer.rotation->sines.data() + token * half;
    for (std::int64_t i = 0; i < half; ++i) {
      const float a = raw[i] * inverse * (1 + scale[i]);
      const float b = raw[half + i] * inverse * (1 + scale[half + i]);
      value[i] = a * cosines[i] - b * sines[i];
      value[half + i] = b * cosines[i] + a * sines[i];
    }
  }
}

void DocumentAttention::transpose(std::int64_t tokens, Head& head) {
  const std::int64_t width = m_shape.headDim;
  head.transposed.resize(head.value.size());
  for (std::int64_t token = 0; token < tokens; ++token)
    for (std::int64_t i = 0; i < width; ++i)
      head.transposed[static_cast<std::size_t>(i * tokens + token)] =
          head.value[static_cast<std::size_t>(token * width + i)];
}

void DocumentAttention::unrotate(const Layer& layer, const float* scale,
                                 std::int64_t tokens, Head& head, float* dScale) {
  const std::int64_t width = m_shape.headDim;
  const std::int64_t half = width / 2;
  for (std::int64_t token = 0; token < tokens; ++token) {
    const float* raw = head.raw.data() + token * width;
    float* d = head.gradient.data() + token * width;
    const float inverse = head.inverse[static_cast<std::size_t>(token)];
    const float* cosines = layer.rotation->cosines.data() + token * half;
    const float* sines = layer.rotation->sines.data() + token * half;
    for (std::int64_t i = 0; i < half; ++i) {
      const float a = d[i];
      const float b = d[half + i];
      d[i] = a * cosines[i] + b * sines[i];
      d[half + i] = b * cosines[i] - a * sines[i];
    }
    float projection = 0;
    for (std::int64_t i = 0; i < width; ++i) {
      const float n = raw[i] * inverse;
      dScale[i] += d[i] * n;
      d[i] *= 1 + scale[i];
      projection += d[i] * n;
    }
    projection *= inverse / static_cast<float>(width);
    for (std::int64_t i = 0; i < width; ++i)
      d[i] = inverse * (d[i] - raw[i] * projection);
  }
}

template <typename Element>
void DocumentAttention::store(const Head& head, std::int64_t tokens, std::int64_t column,
                              Element* dQkv) {
  const std::int64_t stride = m_shape.queryWidth() + 2 * m_shape.keyWidth();
  const std::int64_t width = m_shape.headDim;
  for (std::int64_t token = 0; token < tokens; ++token)
    for (std::int64_t i = 0; i < width; ++i)
      dQkv[token * stride + column + i] =
          head.gradient[static_cast<std::size_t>(token * width + i)];
}

void DocumentAttention::weigh(const float* query, std::int64_t first, std::int64_t token,
                              std::int64_t tokens) {
  float* weights = m_weights.data();
  std::fill(weights + first, weights + token + 1, 0.0f);
  const float scale = 1 / std::sqrt(static_cast<float>(m_shape.headDim));
  for (std::int64_t i = 0; i < m_shape.headDim; ++i) {
    const float* keys = m_key.transposed.data() + i * tokens;
    const float q = query[i] * scale;
    for (std::int64_t j = first; j <= token; ++j) weights[j] += q * keys[j];
  }
  float largest = weights[first];
  for (std::int64_t j = first; j <= token; ++j) largest = std::max(largest, weights[j]);
  float sum = 0;
  for (std::int64_t j = first; j <= token; ++j) {
    weights[j] = std::exp(weights[j] - largest);
    sum += weights[j];
  }
  for (std::int64_t j = first; j <= token; ++j) weights[j] /= sum;
}

/// From the gradient of one row of the output to those of its query, keys and values.
void DocumentAttention::spread(std::int64_t token, std::int64_t first,
                               std::int64_t tokens, const float* dOut) {
  const std::int64_t width = m_shape.headDim;
  const float* weights = m_weights.data();
  float* slopes = m_slopes.data();
  std::fill(slopes + first, slopes + token + 1, 0.0f);
  for (std::int64_t i = 0; i < width; ++i) {
    const float* values = m_value.transposed.data() + i * tokens;
    for (std::int64_t j = first; j <= token; ++j) slopes[j] += dOut[i] * values[j];
  }
  float mean = 0;
  for (std::int64_t j = first; j <= token; ++j) mean += weights[j] * slopes[j];
  const float scale = 1 / std::sqrt(static_cast<float>(width));
  const float* query = m_query.value.data() + token * width;
  float* dQuery = m_query.gradient.data() + token * width;
  for (std::int64_t j = first; j <= token; ++j) {
    const float slope = weights[j] * (slopes[j] - mean) * scale;
    const float weight = weights[j];
    const float* key = m_key.value.data() + j * width;
    float* dKey = m_key.gradient.data() + j * width;
    float* dValue = m_value.gradient.data() + j * width;
    for (std::int64_t i = 0; i < width; ++i) {
      dValue[i] += weight * dOut[i];
      dQuery[i] += slope * key[i];
      dKey[i] += slope * query[i];
    }
  }
}

template <typename Element>
void DocumentAttention::forward(const Layer& layer, std::int64_t tokens,
                                const Element* qkv, Element* out) {
  const std::int64_t width = m_shape.headDim;
  const std::int64_t group = m_shape.heads / m_shape.kvHeads;
  m_weights.resize(static_cast<std::size_t>(tokens));
  m_row.resize(static_cast<std::size_t>(width));
  for (std::int64_t head = 0; head < m_shape.heads; ++head) {
    if (head % group == 0) {
      const std::int64_t column = m_shape.queryWidth() + head / group * width;
      load(qkv, tokens, column, m_key);
      load(qkv, tokens, column + m_shape.keyWidth(), m_value);
      rotateNormed(layer, layer.keyNorm, tokens, m_key);
      transpose(tokens, m_key);
    }
    load(qkv, tokens, head * width, m_query);
    rotateNormed(layer, layer.queryNorm, tokens, m_query);
    for (std::int64_t token = 0; token < tokens; ++token) {
      const std::int64_t first = std::max<std::int64_t>(0, token - layer.window + 1);
      weigh(m_query.value.data() + token * width, first, token, tokens);
      std::ranges::fill(m_row, 0.0f);
      for (std::int64_t j = first; j <= token; ++j)
        for (std::int64_t i = 0; i < width; ++i)
          m_row[static_cast<std::size_t>(i)] +=
              m_weights[static_cast<std::size_t>(j)] * m_value.value[static_cast<std::size_t>(j * width + i)];
      std::copy(m_row.begin(), m_row.end(),
                out + token * m_shape.queryWidth() + head * width);
    }
  }
}

template <typename Element>
void DocumentAttention::backward(const Layer& layer, std::int64_t tokens,
                                 const Element* qkv, const Element* dOut, Element* dQkv,
                                 const NormGradients& gradients) {
  const std::int64_t width = m_shape.headDim;
  const std::int64_t group = m_shape.heads / m_shape.kvHeads;
  m_weights.resize(static_cast<std::size_t>(tokens));
  m_slopes.resize(static_cast<std::size_t>(tokens));
  m_row.resize(static_cast<std::size_t>(width));
  for (std::int64_t head = 0; head < m_shape.heads; ++head) {
    const std::int64_t column = m_shape.queryWidth() + head / group * width;
    if (head % group == 0) {
      load(qkv, tokens, column, m_key);
      load(qkv, tokens, column + m_shape.keyWidth(), m_value);
      rotateNormed(layer, layer.keyNorm, tokens, m_key);
      transpose(tokens, m_key);
      transpose(tokens, m_value);
    }
    load(qkv, tokens, head * width, m_query);
    rotateNormed(layer, layer.queryNorm, tokens, m_query);
    for (std::int64_t token = 0; token < tokens; ++token) {
      const std::int64_t first = std::max<std::int64_t>(0, token - layer.window + 1);
      weigh(m_query.value.data() + token * width, first, token, tokens);
      const Element* row = dOut + token * m_shape.queryWidth() + head * width;
      std::copy(row, row + width, m_row.begin());
      spread(token, first, tokens, m_row.data());
    }
    unrotate(layer, layer.queryNorm, tokens, m_query, gradients.query);
    store(m_query, tokens, head * width, dQkv);
    if ((head + 1) % group == 0) {
      unrotate(layer, layer.keyNorm, tokens, m_key, gradients.key);
      store(m_key, tokens, column, dQkv);
      store(m_value, tokens, column + m_shape.keyWidth(), dQkv);
    }
  }
}

template void DocumentAttention::forward(const Layer&, std::int64_t, const float*, float*);
template void DocumentAttention::forward(const Layer&, std::int64_t, const Bfloat*,
                                         Bfloat*);
template void DocumentAttention::backward(const Layer&, std::int64_t, const float*,
                                          const float*, float*, const NormGradients&);
template void DocumentAttention::backward(const Layer&, std::int64_t, const Bfloat*,
                                          const Bfloat*, Bfloat*, const NormGradients&);

}  // namespace equipatch
