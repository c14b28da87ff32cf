// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weights.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "core/base/file_map.h"
#include "core/base/machine.h"
#include "core/kernel/row_operations.h"
#include "core/kernel/threads.h"
#include "core/model/not_finite.h"
#include "core/model/resident_weights.h"

namespace equipatch {
namespace {

static_assert(std::endian::native == std::endian::little,
              "safetensors are little-endian and used in place");

/// Share of the whole progress that reading resident weights takes.
constexpr double kReadingShare = 0.9;

/// Number of layers whose Frobenius norms are computed between two checks for a stop.
constexpr std::int64_t kLayersMeasured = 4;

/// Elements in a tile; a longer row is a tile of its own.
constexpr std::int64_t kCopyTileElements = 1 << 22;

/// Copies and converts `stored` [groups, n, …], tile by tile.
Tensor converted(const Tensor& stored, const StoredWeight& weight,
                 const Arithmetic& arithmetic) {
  // Groups of one row each are copied as the rows of one group, in larger tiles.
  const Tensor part = stored.size(1) == 1 ? stored.transpose(0, 1) : stored;
  Tensor result =
      at::empty(weight.shape,
                at::TensorOptions(arithmetic.weightType()).device(arithmetic.device()));
  if (result.is_cpu())
    preferLargePages({static_cast<const std::byte*>(result.data_ptr()), result.nbytes()});
  const Tensor target = result.view(part.sizes());
  const std::int64_t rows = part.size(1);
  const std::int64_t rowSize = std::max<std::int64_t>(
      1, part.numel() / std::max<std::int64_t>(1, part.size(0) * rows));
  const std::int64_t step = std::max<std::int64_t>(1, kCopyTileElements / rowSize);
  for (std::int64_t group = 0; group < part.size(0); ++group)
    for (std::int64_t first = 0; first < rows; first += step) {
      const std::int64_t count = std::min(step, rows - first);
      target.select(0, group)
          .narrow(0, first, count)
          .copy_(part.select(0, group).narrow(0, first, count));
      // A tile of a transposed part reads pages all over the stored tensor: release all.
      if (rows > step) weight.stored.owner->release(weight.stored.bytes);
    }
  weight.stored.owner->release(weight.stored.bytes);
  return result;
}

/// Loads tensors by their canonical names.
class Loader {
 public:
  /// @param resident weights that are loaded already
  Loader(const Checkpoint& checkpoint, const Arithmetic& arithmetic, Progress& progress,
         std::map<std::string, ResidentWeight> resident)
      : m_checkpoint(checkpoint),
        m_arithmetic(arithmetic),
        m_progress(progress),
        m_resident(std::move(resident)) {}

  Tensor matrix(const std::string& name) {
    m_progress.throwIfStopped();
    const auto found = m_resident.find(name);
    if (found != m_resident.end()) return found->second.tensor;
    return loadTensor(m_checkpoint.weight(name), m_arithmetic);
  }

  /// A vector, rounded to the run's dtype as a framework would store it, then widened;
  /// undefined if the checkpoint has no such tensor.
  Tensor vector(const std::string& name) {
    if (!m_checkpoint.has(name)) return {};
    return matrix(name).to(m_arithmetic.wide());
  }

  /// A vector that models keep in float32: widened without rounding to the run's dtype.
  Tensor asStored(const std::string& name) {
    return storedTensor(m_checkpoint.weight(name).stored)
        .to(m_arithmetic.device(), m_arithmetic.wide());
  }

  Linear linear(const std::string& weight, const std::string& bias) {
    if (!m_checkpoint.has(weight)) return {};
    const StoredWeight& stored = m_checkpoint.weight(weight);
    if (stored.scales)
      return {.weight = {}, .bias = vector(bias), .packed = packedMatrix(stored)};
    const auto found = m_resident.find(weight);
    return {.weight = matrix(weight),
            .bias = vector(bias),
            .norm = found != m_resident.end() ? found->second.norm : 0.0};
  }

  /// A norm whose m is the factor itself, although some families store m − 1.
  NormWeights norm(const std::string& name) {
    const Tensor stored = m_checkpoint.has(name + ".0") ? headNorms(name) : vector(name);
    const bool shifted = stored.defined() && m_checkpoint.spec().norm.storedMinusOne;
    return {.m = shifted ? stored + 1.0 : stored, .bias = vector(name + ".bias")};
  }

 private:
  /// The scales of all heads [heads, headDim], stored as one tensor per head.
  Tensor headNorms(const std::string& name) {
    std::vector<Tensor> heads;
    for (std::size_t head = 0;; ++head) {
      const std::string own = name + "." + std::to_string(head);
      if (!m_checkpoint.has(own)) return at::stack(heads);
      heads.push_back(vector(own));
    }
  }

  const Checkpoint& m_checkpoint;
  const Arithmetic& m_arithmetic;
  Progress& m_progress;
  std::map<std::string, ResidentWeight> m_resident;
};

class LayerLoader {
 public:
  LayerLoader(Loader& loader, const ModelSpec& spec, std::int64_t index)
      : m_loader(loader), m_spec(spec), m_index(index) {}

  LayerWeights load() {
    const bool moe = m_spec.layers[static_cast<std::size_t>(m_index)].moe;
    LayerWeights layer{
        .attn_norm = norm("attn_norm"),
        .W_q = linear("", "q"),
        .W_k = linear("", "k"),
        .W_v = linear("", "v"),
        .W_o = linear("", "o"),
        .W_attn_gate = linear("", "attn_gate"),
        .delta = {},
        .sinks = m_loader.vector(layerWeight(m_index, "sinks")),
        .q_norm = norm("q_norm"),
        .k_norm = norm("k_norm"),
        .attn_post_norm = norm("attn_post_norm"),
        .mlp_norm = norm("mlp_norm"),
        .mlp_post_norm = norm("mlp_post_norm"),
        .experts_norm = norm("experts_norm"),
        .dense_post_norm = norm("dense_post_norm"),
        .experts_post_norm = norm("experts_post_norm"),
        .router_scale = m_loader.vector(layerWeight(m_index, "router_scale")),
        .expert_scale = m_loader.vector(layerWeight(m_index, "expert_scale")),
        .mlp = {},
        .W_per_layer_gate = linear("", "per_layer_gate"),
        .W_per_layer_out = linear("", "per_layer_out"),
        .per_layer_post_norm = norm("per_layer_post_norm"),
        .layer_scalar = m_loader.vector(layerWeight(m_index, "layer_scalar")),
        .W_router = {},
        .experts = {},
        .W_shared_router = {},
        .shared = {}};
    if (m_spec.layers[static_cast<std::size_t>(m_index)].recurrent)
      layer.delta = deltaNet();
    if (moe) loadMoe(layer);
    if (!moe || m_spec.hasDenseBeside()) layer.mlp = feedForward("");
    return layer;
  }

 private:
  NormWeights norm(const char* name) { return m_loader.norm(layerWeight(m_index, name)); }

  Linear linear(const std::string& where, const std::string& what) {
    return m_loader.linear(layerWeight(m_index, where + "W_" + what),
                           layerWeight(m_index, where + "b_" + what));
  }

  FeedForwardWeights feedForward(const std::string& where) {
    return {.W_gate = linear(where, "gate"),
            .W_up = linear(where, "up"),
            .W_in = linear(where, "in"),
            .W_down = linear(where, "down")};
  }

  DeltaNetWeights deltaNet() {
    const auto vector = [&](const char* name) {
      return m_loader.vector(layerWeight(m_index, name));
    };
    const auto stored = [&](const char* name) {
      return m_loader.asStored(layerWeight(m_index, name));
    };
    return {.W_in = linear("", "delta_in"),
            .W_z = linear("", "delta_z"),
            .W_b = linear("", "delta_b"),
            .W_a = linear("", "delta_a"),
            .conv = vector("delta_conv").squeeze(1).t().contiguous(),
            // A stored −∞ is damage, but exp(−∞) would make it an ordinary 0.
            .decay = -at::exp(infinityAsNaN(stored("delta_A_log"))),
            .dt_bias = vector("delta_dt_bias"),
            .norm = stored("delta_norm")};
  }

  void loadMoe(LayerWeights& layer) {
    layer.W_router = linear("", "router");
    for (std::int64_t expert = 0; expert < m_spec.moe->experts; ++expert)
      layer.experts.push_back(
          feedForward(std::string("experts.").append(std::to_string(expert)) + "."));
    if (m_spec.moe->sharedWidth == 0) return;
    layer.W_shared_router = linear("", "shared_router");
    layer.shared = feedForward("shared.");
  }

  Loader& m_loader;
  const ModelSpec& m_spec;
  std::int64_t m_index;
};

/// Computes the missing Frobenius norms of the matrices that a patch can change.
void measureNorms(std::span<LayerWeights> layers) {
  std::vector<Linear*> matrices;
  const auto add = [&](Linear& matrix) {
    if (matrix.exists() && matrix.norm == 0.0) matrices.push_back(&matrix);
  };
  const auto addMlp = [&](FeedForwardWeights& mlp) {
    for (Linear* matrix : {&mlp.W_gate, &mlp.W_up, &mlp.W_in, &mlp.W_down}) add(*matrix);
  };
  for (LayerWeights& layer : layers) {
    add(layer.W_router);
    add(layer.W_shared_router);
    addMlp(layer.mlp);
    for (FeedForwardWeights& expert : layer.experts) addMlp(expert);
    addMlp(layer.shared);
  }
  const bool onCpu = std::ranges::all_of(matrices, [](const Linear* matrix) {
    return matrix->packed.defined() || matrix->weight.is_cpu();
  });
  ThreadPool::instance().run(
      onCpu ? readingThreads() - 1 : 0, static_cast<std::uint32_t>(matrices.size()),
      [&](std::int64_t index) {
        Linear& matrix = *matrices[static_cast<std::size_t>(index)];
        matrix.norm = frobeniusNorm(matrix);
      });
}

}  // namespace

void WeightFiles::add(const StoredWeight& weight) {
  const auto addOf = [this](const TensorView& view) {
    if (view.owner && !view.owner->path().empty()) m_files.insert(view.owner);
  };
  addOf(weight.stored);
  if (weight.scales) addOf(*weight.scales);
}

void WeightFiles::throwIfLost() const {
  for (const auto& file : m_files) file->throwIfLost();
}

Weights Weights::load(const Checkpoint& checkpoint, const Arithmetic& arithmetic,
                      Progress& progress, WeightPlace place) {
  const bool reads = place == WeightPlace::Resident && arithmetic.device().is_cpu();
  PartialProgress reading(progress, 0.0, kReadingShare);
  PartialProgress rest(progress, reads ? kReadingShare : 0.0, 1.0);
  Loader loader(checkpoint, arithmetic, rest,
                reads ? readResidentWeights(checkpoint, arithmetic, reading)
                      : std::map<std::string, ResidentWeight>());
  Weights weights;
  for (const auto& [name, weight] : checkpoint.weights()) weights.files.add(weight);
  weights.embed = loader.matrix("embed");
  if (checkpoint.has("positions")) weights.positions = loader.matrix("positions");
  weights.head.weight = checkpoint.has("head") ? loader.matrix("head") : weights.embed;
  weights.head.bias = loader.vector("b_head");
  weights.final_norm = loader.norm("final_norm");
  if (checkpoint.has("per_layer_embed"))
    weights.per_layer_embed = storedTensor(checkpoint.weight("per_layer_embed").stored);
  weights.W_per_layer = loader.linear("W_per_layer", "b_per_layer");
  weights.per_layer_norm = loader.norm("per_layer_norm");
  const std::int64_t layers = checkpoint.spec().layerCount();
  for (std::int64_t index = 0; index < layers; ++index) {
    rest.report(static_cast<double>(index) / static_cast<double>(layers),
                (reads ? "Preparing layer " : "Reading layer ") +
                    std::to_string(index + 1) + " of " + std::to_string(layers));
    weights.layers.push_back(LayerLoader(loader, checkpoint.spec(), index).load());
    const bool isLast = index + 1 == layers;
    if (isLast || (index + 1) % kLayersMeasured == 0)
      measureNorms(
          std::span(weights.layers).subspan(index / kLayersMeasured * kLayersMeasured));
  }
  weights.files.throwIfLost();
  rest.report(1.0, "Weights are in place");
  return weights;
}

Tensor storedTensor(const TensorView& view) {
  const auto options = at::TensorOptions(toTorch(view.dtype));
  auto* data = const_cast<std::byte*>(view.bytes.data());
  if (view.bytes.empty()) return at::empty(view.shape, options);
  if (!view.aligned()) {
    Tensor copy = at::empty(view.shape, options);
    std::copy(view.bytes.begin(), view.bytes.end(),
              static_cast<std::byte*>(copy.data_ptr()));
    return copy;
  }
  return at::from_blob(
      data, view.shape, [owner = view.owner](void*) {}, options);
}

Tensor partOf(const Tensor& stored, const TensorPart& part) {
  const Tensor slice = part.slices > 0 ? stored.select(0, part.slice) : stored;
  const Tensor outputsFirst = part.transposed ? slice.t() : slice;
  const std::int64_t rows = outputsFirst.size(0) / (part.groups * part.parts);
  const std::int64_t rowStride = outputsFirst.stride(0);
  std::vector<std::int64_t> sizes{part.groups, part.span * rows};
  std::vector<std::int64_t> strides{rowStride * rows * part.parts, rowStride};
  for (std::int64_t axis = 1; axis < outputsFirst.dim(); ++axis) {
    sizes.push_back(outputsFirst.size(axis));
    strides.push_back(outputsFirst.stride(axis));
  }
  return outputsFirst.as_strided(
      sizes, strides, outputsFirst.storage_offset() + part.index * rows * rowStride);
}

PackedMatrix packedMatrix(const StoredWeight& weight) {
  const auto rowsOf = [&](const TensorView& view) {
    return partOf(storedTensor(view), weight.part).flatten(0, 1);
  };
  return {.blocks = rowsOf(weight.stored), .scales = rowsOf(*weight.scales)};
}

bool isUsedInPlace(const StoredWeight& weight, const Arithmetic& arithmetic) {
  if (weight.scales) return true;
  return arithmetic.device().is_cpu() && weight.isStoredAs(arithmetic.dtype());
}

Tensor loadTensor(const StoredWeight& weight, const Arithmetic& arithmetic) {
  const Tensor part = partOf(storedTensor(weight.stored), weight.part);
  if (isUsedInPlace(weight, arithmetic)) return part.view(weight.shape);
  return converted(part, weight, arithmetic);
}

}  // namespace equipatch
