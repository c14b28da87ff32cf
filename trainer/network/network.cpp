// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/network/network.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/base/error.h"
#include "trainer/network/attention_loops.h"
#include "trainer/network/row_loops.h"

namespace equipatch {
namespace {

using at::Tensor;

template <typename Element>
constexpr at::ScalarType kElementType =
    std::is_same_v<Element, float> ? at::kFloat : at::kBFloat16;

template <typename Element>
Element* elements(const Tensor& tensor) {
  return static_cast<Element*>(tensor.data_ptr());
}

/// Activations of a layer that its backward pass needs, [tokens, …].
struct LayerTrace {
  Tensor streamIn, attentionIn, queryKeyValue, attended, attentionOut;
  Tensor streamMid, mlpIn, gateUp, gated, mlpOut;
};

struct Trace {
  std::vector<LayerTrace> layers;
  Tensor lossRows;   ///< [rows, width], the last layer's output at the batch's `rows`
  Tensor finalNorm;  ///< [rows, width]
  Tensor logits;     ///< [rows, vocabulary]
};

template <typename Element>
class NetworkOf final : public Network {
 public:
  explicit NetworkOf(const NetworkShape& shape)
      : m_shape(shape),
        m_layout(shape),
        m_local(shape, shape.localPeriod),
        m_global(shape, shape.globalPeriod) {}

  const ParameterLayout& layout() const override { return m_layout; }

  void setParameters(std::span<const float> parameters) override {
    m_parameters = parameters.data();
    m_operands = at::from_blob(const_cast<float*>(m_parameters), {m_layout.size()})
                     .to(kElementType<Element>);
  }

  std::vector<float> losses(const Batch& batch) const override {
    const Trace trace = forward(batch);
    return crossEntropies(batch, trace, 0);
  }

  std::vector<float> backpropagate(const Batch& batch, float scale,
                                   std::span<float> gradient) const override {
    const Trace trace = forward(batch);
    std::vector<float> losses = crossEntropies(batch, trace, scale);
    backward(batch, trace, gradient.data());
    return losses;
  }

  std::vector<float> logits(const Batch& batch) const override {
    const Tensor logits = forward(batch).logits.to(at::kFloat);
    const float* first = logits.data_ptr<float>();
    return {first, first + logits.numel()};
  }

 private:
  Tensor matrix(const MatrixRange& range) const {
    return m_operands.narrow(0, range.offset, range.rows * range.columns)
        .view({range.rows, range.columns});
  }

  Tensor uninitialised(std::int64_t rows, std::int64_t columns) const {
    return at::empty({rows, columns}, at::dtype(kElementType<Element>));
  }

  NormRows norm(std::int64_t rows, std::int64_t offset) const {
    return {.rows = rows,
            .width = m_shape.width,
            .epsilon = static_cast<float>(m_shape.epsilon),
            .scale = m_parameters + offset};
  }

  float embeddingScale() const { return std::sqrt(static_cast<float>(m_shape.width)); }

  Tensor embed(const Batch& batch) const {
    const std::int64_t width = m_shape.width;
    Tensor stream = at::empty({batch.tokens(), width}, at::kFloat);
    float* row = elements<float>(stream);
    const Element* table = elements<Element>(m_operands) + m_layout.embedding().offset;
    for (const std::int32_t id : batch.ids)
      for (std::int64_t i = 0; i < width; ++i)
        *row++ = table[id * width + i] * embeddingScale();
    return stream;
  }

  Tensor normed(const Tensor& stream, std::int64_t offset) const {
    Tensor y = uninitialised(stream.size(0), m_shape.width);
    normalise(norm(stream.size(0), offset), elements<float>(stream),
              elements<Element>(y));
    return y;
  }

  Tensor withNormed(const Tensor& stream, const Tensor& x, std::int64_t offset) const {
    Tensor sum = stream.clone();
    addNormalised(norm(x.size(0), offset), elements<Element>(x), elements<float>(sum));
    return sum;
  }

  DocumentAttention::Layer attentionLayer(std::int64_t index) const {
    const LayerRanges& ranges = m_layout.layer(index);
    const bool local = m_shape.isLocal(index);
    return {.rotation = local ? &m_local : &m_global,
            .window = local ? m_shape.window : m_shape.maxPositions,
            .queryNorm = m_parameters + ranges.queryNorm,
            .keyNorm = m_parameters + ranges.keyNorm};
  }

  Tensor attend(const Batch& batch, std::int64_t index, const Tensor& qkv) const {
    Tensor out = uninitialised(batch.tokens(), m_shape.queryWidth());
    DocumentAttention attention(m_shape);
    std::int64_t begin = 0;
    for (const std::int64_t end : batch.ends) {
      attention.forward(attentionLayer(index), end - begin,
                        elements<Element>(qkv) + begin * qkv.size(1),
                        elements<Element>(out) + begin * out.size(1));
      begin = end;
    }
    return out;
  }

  Tensor forwardLayer(const Batch& batch, std::int64_t index, Tensor stream,
                      LayerTrace& trace) const {
    const LayerRanges& ranges = m_layout.layer(index);
    trace.streamIn = std::move(stream);
    trace.attentionIn = normed(trace.streamIn, ranges.inputNorm);
    trace.queryKeyValue = at::mm(trace.attentionIn, matrix(ranges.queryKeyValue).t());
    trace.attended = attend(batch, index, trace.queryKeyValue);
    trace.attentionOut = at::mm(trace.attended, matrix(ranges.output).t());
    trace.streamMid =
        withNormed(trace.streamIn, trace.attentionOut, ranges.postAttentionNorm);

    trace.mlpIn = normed(trace.streamMid, ranges.preMlpNorm);
    trace.gateUp = at::mm(trace.mlpIn, matrix(ranges.gateUp).t());
    trace.gated = uninitialised(batch.tokens(), m_shape.mlpWidth);
    applyGate(batch.tokens(), m_shape.mlpWidth, elements<Element>(trace.gateUp),
              elements<Element>(trace.gated));
    trace.mlpOut = at::mm(trace.gated, matrix(ranges.down).t());
    return withNormed(trace.streamMid, trace.mlpOut, ranges.postMlpNorm);
  }

  void checkLengths(const Batch& batch) const {
    std::int64_t begin = 0;
    for (const std::int64_t end : batch.ends) {
      if (end - begin > m_shape.maxPositions)
        throw badInput(
            "a document has " + std::to_string(end - begin) +
            " tokens, expected at most " + std::to_string(m_shape.maxPositions) +
            "; learn a larger vocabulary, or shorten the entries of the word lists");
      begin = end;
    }
  }

  static Tensor rowIndex(const Batch& batch) { return at::tensor(batch.rows, at::kLong); }

  Trace forward(const Batch& batch) const {
    checkLengths(batch);
    Trace trace;
    trace.layers.resize(static_cast<std::size_t>(m_shape.layers));
    Tensor stream = embed(batch);
    for (std::int64_t i = 0; i < m_shape.layers; ++i)
      stream = forwardLayer(batch, i, std::move(stream),
                            trace.layers[static_cast<std::size_t>(i)]);
    trace.lossRows = stream.index_select(0, rowIndex(batch));
    trace.finalNorm = normed(trace.lossRows, m_layout.finalNorm());
    trace.logits = at::mm(trace.finalNorm, matrix(m_layout.embedding()).t());
    return trace;
  }

  /// Overwrites the trace's logits with their gradient if `scale` is not 0.
  std::vector<float> crossEntropies(const Batch& batch, const Trace& trace,
                                    float scale) const {
    std::vector<float> losses(batch.rows.size());
    crossEntropy(m_shape.vocabulary, batch.successors, scale,
                 elements<Element>(trace.logits), losses.data());
    return losses;
  }

  /// Backward pass of y = x Wᵀ: adds dyᵀ x to W's gradient and returns dy W.
  Tensor productBackward(const MatrixRange& range, const Tensor& x, const Tensor& dy,
                         float* gradient) const {
    at::from_blob(gradient + range.offset, {range.rows, range.columns})
        .add_(at::mm(dy.t(), x));
    return at::mm(dy, matrix(range));
  }

  Tensor throughPostNorm(const Tensor& x, const Tensor& dStream, std::int64_t offset,
                         float* gradient) const {
    Tensor dx = at::empty_like(x);
    addNormalisedBackward(norm(x.size(0), offset), elements<Element>(x),
                          elements<float>(dStream), elements<Element>(dx),
                          gradient + offset);
    return dx;
  }

  void throughPreNorm(const Tensor& stream, const Tensor& dy, std::int64_t offset,
                      const Tensor& dStream, float* gradient) const {
    normaliseBackward(norm(stream.size(0), offset), elements<float>(stream),
                      elements<Element>(dy), elements<float>(dStream), gradient + offset);
  }

  Tensor attendBackward(const Batch& batch, std::int64_t index, const LayerTrace& trace,
                        const Tensor& dAttended, float* gradient) const {
    const LayerRanges& ranges = m_layout.layer(index);
    Tensor dQkv = at::empty_like(trace.queryKeyValue);
    DocumentAttention attention(m_shape);
    std::int64_t begin = 0;
    for (const std::int64_t end : batch.ends) {
      attention.backward(attentionLayer(index), end - begin,
                         elements<Element>(trace.queryKeyValue) + begin * dQkv.size(1),
                         elements<Element>(dAttended) + begin * dAttended.size(1),
                         elements<Element>(dQkv) + begin * dQkv.size(1),
                         {gradient + ranges.queryNorm, gradient + ranges.keyNorm});
      begin = end;
    }
    return dQkv;
  }

  /// Overwrites dStream, the gradient of the layer's output, with the gradient of the
  /// layer's input.
  void backwardLayer(const Batch& batch, std::int64_t index, const LayerTrace& trace,
                     const Tensor& dStream, float* gradient) const {
    const LayerRanges& ranges = m_layout.layer(index);
    Tensor d = throughPostNorm(trace.mlpOut, dStream, ranges.postMlpNorm, gradient);
    d = productBackward(ranges.down, trace.gated, d, gradient);
    Tensor dGateUp = at::empty_like(trace.gateUp);
    applyGateBackward(batch.tokens(), m_shape.mlpWidth, elements<Element>(trace.gateUp),
                      elements<Element>(d), elements<Element>(dGateUp));
    d = productBackward(ranges.gateUp, trace.mlpIn, dGateUp, gradient);
    throughPreNorm(trace.streamMid, d, ranges.preMlpNorm, dStream, gradient);

    d = throughPostNorm(trace.attentionOut, dStream, ranges.postAttentionNorm, gradient);
    d = productBackward(ranges.output, trace.attended, d, gradient);
    d = attendBackward(batch, index, trace, d, gradient);
    d = productBackward(ranges.queryKeyValue, trace.attentionIn, d, gradient);
    throughPreNorm(trace.streamIn, d, ranges.inputNorm, dStream, gradient);
  }

  void backward(const Batch& batch, const Trace& trace, float* gradient) const {
    const Tensor dNorm =
        productBackward(m_layout.embedding(), trace.finalNorm, trace.logits, gradient);
    Tensor dLossRows = at::zeros_like(trace.lossRows);
    throughPreNorm(trace.lossRows, dNorm, m_layout.finalNorm(), dLossRows, gradient);
    Tensor dStream = at::zeros({batch.tokens(), m_shape.width}, at::kFloat);
    dStream.index_copy_(0, rowIndex(batch), dLossRows);
    for (std::int64_t i = m_shape.layers; i-- > 0;)
      backwardLayer(batch, i, trace.layers[static_cast<std::size_t>(i)], dStream,
                    gradient);
    embedBackward(batch, dStream, gradient);
  }

  void embedBackward(const Batch& batch, const Tensor& dStream, float* gradient) const {
    const std::int64_t width = m_shape.width;
    const float* row = elements<float>(dStream);
    float* table = gradient + m_layout.embedding().offset;
    for (const std::int32_t id : batch.ids)
      for (std::int64_t i = 0; i < width; ++i)
        table[id * width + i] += embeddingScale() * *row++;
  }

  NetworkShape m_shape;
  ParameterLayout m_layout;
  DocumentAttention::Rotation m_local;
  DocumentAttention::Rotation m_global;
  const float* m_parameters = nullptr;
  Tensor m_operands;  ///< all parameters, converted to Element
};

}  // namespace

void Network::useOneThread() {
  at::set_num_threads(1);
}

std::unique_ptr<Network> Network::create(const NetworkShape& shape, Precision precision) {
  if (precision == Precision::Float32) return std::make_unique<NetworkOf<float>>(shape);
  return std::make_unique<NetworkOf<Bfloat>>(shape);
}

ParameterLayout::ParameterLayout(const NetworkShape& shape) {
  m_embedding = {add("model.embed_tokens.weight", {shape.vocabulary, shape.width},
                     ParameterKind::Embedding),
                 shape.vocabulary, shape.width};
  for (std::int64_t i = 0; i < shape.layers; ++i)
    m_layers.push_back(addLayer(shape, "model.layers." + std::to_string(i) + "."));
  m_finalNorm = add("model.norm.weight", {shape.width}, ParameterKind::Scale);
}

std::int64_t ParameterLayout::add(std::string name, std::vector<std::int64_t> shape,
                                  ParameterKind kind) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  const std::int64_t offset = std::exchange(m_size, m_size + count);
  m_parameters.push_back({std::move(name), std::move(shape), kind, offset, count});
  return offset;
}

LayerRanges ParameterLayout::addLayer(const NetworkShape& shape,
                                      const std::string& prefix) {
  const auto matrix = [&](const char* name, std::int64_t rows, std::int64_t columns) {
    return MatrixRange{
        add(prefix + name + ".weight", {rows, columns}, ParameterKind::Matrix), rows,
        columns};
  };
  const auto scale = [&](const char* name, std::int64_t width) {
    return add(prefix + name + ".weight", {width}, ParameterKind::Scale);
  };
  LayerRanges layer;
  layer.inputNorm = scale("input_layernorm", shape.width);
  layer.queryKeyValue = matrix("self_attn.q_proj", shape.queryWidth(), shape.width);
  layer.queryKeyValue.rows +=
      matrix("self_attn.k_proj", shape.keyWidth(), shape.width).rows;
  layer.queryKeyValue.rows +=
      matrix("self_attn.v_proj", shape.keyWidth(), shape.width).rows;
  layer.queryNorm = scale("self_attn.q_norm", kHeadDim);
  layer.keyNorm = scale("self_attn.k_norm", kHeadDim);
  layer.output = matrix("self_attn.o_proj", shape.width, shape.queryWidth());
  layer.postAttentionNorm = scale("post_attention_layernorm", shape.width);
  layer.preMlpNorm = scale("pre_feedforward_layernorm", shape.width);
  layer.gateUp = matrix("mlp.gate_proj", shape.mlpWidth, shape.width);
  layer.gateUp.rows += matrix("mlp.up_proj", shape.mlpWidth, shape.width).rows;
  layer.down = matrix("mlp.down_proj", shape.width, shape.mlpWidth);
  layer.postMlpNorm = scale("post_feedforward_layernorm", shape.width);
  return layer;
}

}  // namespace equipatch
