#include "core/model/weights.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace equipatch {
namespace {

static_assert(std::endian::native == std::endian::little,
              "safetensors are little-endian and used in place");

/// The file's own bytes as a tensor; copied only where the file misaligns them.
Tensor inPlace(const TensorView& view) {
  const auto options = at::TensorOptions(toTorch(view.dtype));
  auto* data = const_cast<std::byte*>(view.bytes.data());
  if (view.bytes.empty()) return at::empty(view.shape, options);
  if (reinterpret_cast<std::uintptr_t>(data) % byteSize(view.dtype) != 0) {
    Tensor copy = at::empty(view.shape, options);
    std::copy(view.bytes.begin(), view.bytes.end(),
              static_cast<std::byte*>(copy.data_ptr()));
    return copy;
  }
  return at::from_blob(
      data, view.shape, [owner = view.owner](void*) {}, options);
}

class Loader {
 public:
  Loader(const Checkpoint& checkpoint, const Arithmetic& arithmetic, Progress& progress)
      : m_checkpoint(checkpoint), m_arithmetic(arithmetic), m_progress(progress) {}

  Tensor matrix(const std::string& name) {
    return inPlace(m_checkpoint.tensor(name))
        .to(m_arithmetic.device(), m_arithmetic.storage());
  }

  Linear linear(std::int64_t layer, const char* weight, const char* bias) {
    m_progress.throwIfStopped();
    Linear loaded;
    loaded.weight = matrix(layerWeight(layer, weight));
    const std::string biasName = layerWeight(layer, bias);
    if (m_checkpoint.has(biasName)) loaded.bias = vector(biasName);
    return loaded;
  }

  /// A matrix a patch can change: its norm is what patches are measured against.
  Linear patchable(std::int64_t layer, const char* weight, const char* bias) {
    Linear loaded = linear(layer, weight, bias);
    loaded.norm = frobeniusNorm(loaded.weight);
    return loaded;
  }

  /// Rounded to the dtype as a framework would keep it, then widened.
  Tensor vector(const std::string& name) { return matrix(name).to(m_arithmetic.wide()); }

  /// The scale m as multiplied; undefined where the checkpoint has no such norm.
  Tensor scale(const std::string& name) {
    if (!m_checkpoint.has(name)) return {};
    const Tensor stored = vector(name);
    return m_checkpoint.spec().norm.storedMinusOne ? stored + 1.0 : stored;
  }

  LayerWeights layer(std::int64_t index) {
    const auto norm = [&](const char* name) { return scale(layerWeight(index, name)); };
    return {.attn_norm = norm("attn_norm"),
            .W_q = linear(index, "W_q", "b_q"),
            .W_k = linear(index, "W_k", "b_k"),
            .W_v = linear(index, "W_v", "b_v"),
            .W_o = linear(index, "W_o", "b_o"),
            .q_norm = norm("q_norm"),
            .k_norm = norm("k_norm"),
            .attn_post_norm = norm("attn_post_norm"),
            .mlp_norm = norm("mlp_norm"),
            .W_gate = patchable(index, "W_gate", "b_gate"),
            .W_up = patchable(index, "W_up", "b_up"),
            .W_down = patchable(index, "W_down", "b_down"),
            .mlp_post_norm = norm("mlp_post_norm")};
  }

 private:
  const Checkpoint& m_checkpoint;
  const Arithmetic& m_arithmetic;
  Progress& m_progress;
};

}  // namespace

Weights Weights::load(const Checkpoint& checkpoint, const Arithmetic& arithmetic,
                      Progress& progress) {
  Loader loader(checkpoint, arithmetic, progress);
  Weights weights;
  weights.embed = loader.matrix("embed");
  weights.head.weight = checkpoint.has("head") ? loader.matrix("head") : weights.embed;
  weights.final_norm = loader.scale("final_norm");
  const std::int64_t layers = checkpoint.spec().layerCount();
  for (std::int64_t index = 0; index < layers; ++index) {
    progress.report(
        static_cast<double>(index) / static_cast<double>(layers),
        "Reading layer " + std::to_string(index + 1) + " of " + std::to_string(layers));
    weights.layers.push_back(loader.layer(index));
  }
  progress.report(1.0, "Weights are in place");
  return weights;
}

double frobeniusNorm(const Tensor& weight) {
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
