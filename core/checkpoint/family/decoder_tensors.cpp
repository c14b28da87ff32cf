#include "core/checkpoint/family/decoder_tensors.h"

#include <utility>

namespace equipatch {
namespace {

/// Adds the tensors of one layer, with both their names completed.
class LayerTensors {
 public:
  LayerTensors(std::int64_t layer, std::vector<TensorBinding>& tensors)
      : m_layer(layer), m_tensors(tensors) {}

  void add(const char* name, const std::string& checkpointName,
           std::vector<std::int64_t> shape) {
    m_tensors.push_back({layerWeight(m_layer, name),
                         "layers." + std::to_string(m_layer) + "." + checkpointName,
                         std::move(shape)});
  }

 private:
  std::int64_t m_layer;
  std::vector<TensorBinding>& m_tensors;
};

void addAttention(const ModelSpec& spec, LayerTensors& layer) {
  const std::int64_t queries = spec.heads * spec.headDim;
  const std::int64_t keys = spec.kvHeads * spec.headDim;
  layer.add("W_q", "self_attn.q_proj.weight", {queries, spec.width});
  layer.add("W_k", "self_attn.k_proj.weight", {keys, spec.width});
  layer.add("W_v", "self_attn.v_proj.weight", {keys, spec.width});
  layer.add("W_o", "self_attn.o_proj.weight", {spec.width, queries});
  if (spec.queryKeyNorm != QueryKeyNorm::None) {
    layer.add("q_norm", "self_attn.q_norm.weight", {spec.headDim});
    layer.add("k_norm", "self_attn.k_norm.weight", {spec.headDim});
  }
  if (spec.queryKeyValueBias) {
    layer.add("b_q", "self_attn.q_proj.bias", {queries});
    layer.add("b_k", "self_attn.k_proj.bias", {keys});
    layer.add("b_v", "self_attn.v_proj.bias", {keys});
  }
  if (spec.attentionOutBias) layer.add("b_o", "self_attn.o_proj.bias", {spec.width});
}

void addFeedForward(const ModelSpec& spec, LayerTensors& layer) {
  layer.add("W_gate", "mlp.gate_proj.weight", {spec.mlpWidth, spec.width});
  layer.add("W_up", "mlp.up_proj.weight", {spec.mlpWidth, spec.width});
  layer.add("W_down", "mlp.down_proj.weight", {spec.width, spec.mlpWidth});
  if (!spec.mlpBias) return;
  layer.add("b_gate", "mlp.gate_proj.bias", {spec.mlpWidth});
  layer.add("b_up", "mlp.up_proj.bias", {spec.mlpWidth});
  layer.add("b_down", "mlp.down_proj.bias", {spec.width});
}

}  // namespace

std::vector<TensorBinding> decoderTensors(const ModelSpec& spec,
                                          const LayerNormNames& norms) {
  std::vector<TensorBinding> tensors;
  tensors.push_back(
      {"embed", "embed_tokens.weight", {spec.vocabulary, spec.width}});
  for (std::int64_t index = 0; index < spec.layerCount(); ++index) {
    LayerTensors layer(index, tensors);
    const auto addNorm = [&](const char* name, const std::string& checkpointName) {
      layer.add(name, checkpointName + ".weight", {spec.width});
    };
    addNorm("attn_norm", norms.attentionNorm);
    addAttention(spec, layer);
    if (spec.attentionPostNorm) addNorm("attn_post_norm", norms.attentionPostNorm);
    addNorm("mlp_norm", norms.mlpNorm);
    addFeedForward(spec, layer);
    if (spec.mlpPostNorm) addNorm("mlp_post_norm", norms.mlpPostNorm);
  }
  tensors.push_back({"final_norm", "norm.weight", {spec.width}});
  if (!spec.tiedHead)
    tensors.push_back({"head", "lm_head.weight", {spec.vocabulary, spec.width}, TensorScope::Head});
  return tensors;
}

std::vector<std::string> decoderIgnoredSuffixes(const ModelSpec& spec) {
  std::vector<std::string> suffixes{".rotary_emb.inv_freq"};
  if (spec.tiedHead) suffixes.emplace_back("lm_head.weight");
  return suffixes;
}

}  // namespace equipatch
