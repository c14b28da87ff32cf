#include "core/model/weights.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/kernel/row_operations.h"
#include "core/model/stored_tensor.h"

namespace equipatch {
namespace {

class Loader {
 public:
  Loader(const Checkpoint& checkpoint, const Arithmetic& arithmetic, Progress& progress)
      : m_checkpoint(checkpoint), m_arithmetic(arithmetic), m_progress(progress) {}

  Tensor matrix(const std::string& name) {
    m_progress.throwIfStopped();
    return loadTensor(m_checkpoint.weight(name), m_arithmetic);
  }

  /// Rounded to the dtype as a framework would keep it, then widened; undefined where the
  /// checkpoint has none.
  Tensor vector(const std::string& name) {
    if (!m_checkpoint.has(name)) return {};
    return matrix(name).to(m_arithmetic.wide());
  }

  Linear linear(const std::string& weight, const std::string& bias) {
    if (!m_checkpoint.has(weight)) return {};
    return {.weight = matrix(weight), .bias = vector(bias)};
  }

  /// The scale m as multiplied.
  NormWeights norm(const std::string& name) {
    const Tensor stored = vector(name);
    const bool shifted = stored.defined() && m_checkpoint.spec().norm.storedMinusOne;
    return {.m = shifted ? stored + 1.0 : stored, .bias = vector(name + ".bias")};
  }

 private:
  const Checkpoint& m_checkpoint;
  const Arithmetic& m_arithmetic;
  Progress& m_progress;
};

/// Loads the weights of one layer by their canonical names.
class LayerLoader {
 public:
  LayerLoader(Loader& loader, const ModelSpec& spec, std::int64_t index)
      : m_loader(loader), m_spec(spec), m_index(index) {}

  LayerWeights load() {
    const bool moe = m_spec.layers[static_cast<std::size_t>(m_index)].moe;
    LayerWeights layer{.attn_norm = norm("attn_norm"),
                       .W_q = linear("", "q"),
                       .W_k = linear("", "k"),
                       .W_v = linear("", "v"),
                       .W_o = linear("", "o"),
                       .q_norm = norm("q_norm"),
                       .k_norm = norm("k_norm"),
                       .attn_post_norm = norm("attn_post_norm"),
                       .mlp_norm = norm("mlp_norm"),
                       .mlp_post_norm = norm("mlp_post_norm"),
                       .mlp = {},
                       .W_router = {},
                       .experts = {},
                       .W_shared_router = {},
                       .shared = {}};
    if (moe)
      loadMoe(layer);
    else
      layer.mlp = feedForward("");
    return layer;
  }

 private:
  NormWeights norm(const char* name) { return m_loader.norm(layerWeight(m_index, name)); }

  Linear linear(const std::string& where, const std::string& what) {
    return m_loader.linear(layerWeight(m_index, where + "W_" + what),
                           layerWeight(m_index, where + "b_" + what));
  }

  /// A matrix a patch can change: its norm is what patches are measured against.
  Linear patchable(const std::string& where, const std::string& what) {
    Linear loaded = linear(where, what);
    if (loaded.weight.defined()) loaded.norm = frobeniusNorm(loaded.weight);
    return loaded;
  }

  FeedForwardWeights feedForward(const std::string& where) {
    return {.W_gate = patchable(where, "gate"),
            .W_up = patchable(where, "up"),
            .W_in = patchable(where, "in"),
            .W_down = patchable(where, "down")};
  }

  void loadMoe(LayerWeights& layer) {
    layer.W_router = patchable("", "router");
    for (std::int64_t expert = 0; expert < m_spec.moe->experts; ++expert)
      layer.experts.push_back(
          feedForward(std::string("experts.").append(std::to_string(expert)) + "."));
    if (m_spec.moe->sharedWidth == 0) return;
    layer.W_shared_router = patchable("", "shared_router");
    layer.shared = feedForward("shared.");
  }

  Loader& m_loader;
  const ModelSpec& m_spec;
  std::int64_t m_index;
};

}  // namespace

Weights Weights::load(const Checkpoint& checkpoint, const Arithmetic& arithmetic,
                      Progress& progress) {
  Loader loader(checkpoint, arithmetic, progress);
  Weights weights;
  weights.embed = loader.matrix("embed");
  if (checkpoint.has("positions")) weights.positions = loader.matrix("positions");
  weights.head.weight = checkpoint.has("head") ? loader.matrix("head") : weights.embed;
  weights.head.bias = loader.vector("b_head");
  weights.final_norm = loader.norm("final_norm");
  const std::int64_t layers = checkpoint.spec().layerCount();
  for (std::int64_t index = 0; index < layers; ++index) {
    progress.report(
        static_cast<double>(index) / static_cast<double>(layers),
        "Reading layer " + std::to_string(index + 1) + " of " + std::to_string(layers));
    weights.layers.push_back(LayerLoader(loader, checkpoint.spec(), index).load());
  }
  progress.report(1.0, "Weights are in place");
  return weights;
}

double frobeniusNorm(const Tensor& weight) {
  if (weight.is_cpu() && weight.is_contiguous())
    return std::sqrt(
        squareSum({weight.data_ptr(), dtypeOf(weight), weight.size(0), weight.size(1)}));
  constexpr std::int64_t kRows = 1024;
  double sum = 0.0;
  for (std::int64_t first = 0; first < weight.size(0); first += kRows) {
    const std::int64_t count = std::min(kRows, weight.size(0) - first);
    // Widened before they are squared: in float32 the squares may overflow or vanish.
    const Tensor tile = weight.narrow(0, first, count).to(at::kDouble).reshape(-1);
    sum += at::dot(tile, tile).item<double>();
  }
  return std::sqrt(sum);
}

}  // namespace equipatch
