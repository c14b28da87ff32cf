// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/kv_cache.h"

#include <algorithm>

#include "core/base/error.h"

namespace equipatch {

KvCache::KvCache(const ModelSpec& spec, std::int64_t capacity,
                 const Arithmetic& arithmetic, HeldInputs held)
    : m_capacity(capacity) {
  const auto options =
      at::TensorOptions(arithmetic.activationType()).device(arithmetic.device());
  try {
    for (std::int64_t layer = 0; layer < spec.layerCount(); ++layer) {
      const LayerSpec& own = spec.layers[static_cast<std::size_t>(layer)];
      m_entryOf.push_back(static_cast<std::size_t>(own.keysOf.value_or(layer)));
      m_layers.emplace_back();
      m_recurrent.emplace_back();
      if (own.recurrent) {
        const DeltaNetSpec& delta = *spec.deltaNet;
        const std::int64_t rows = held == HeldInputs::All ? capacity : delta.kernel - 1;
        m_recurrent.back() = RecurrentMemory(
            at::zeros({rows, delta.channels() + 2 * delta.valueHeads}, options),
            delta.kernel, held);
      }
      if (own.keysOf || own.recurrent) continue;
      const auto allocate = [&] {
        return at::zeros({spec.kvHeadsOf(own), capacity, spec.headDimOf(own)}, options);
      };
      m_layers.back() = {allocate(), allocate()};
    }
  } catch (const c10::Error&) {
    throw Error(ErrorKind::Resource,
                "no memory for the keys and values of " + std::to_string(capacity) +
                    " positions; use a shorter prompt or fewer steps");
  }
}

void KvCache::write(LayerIndex layer, std::int64_t first, const Tensor& k,
                    const Tensor& v) {
  Entry& entry = m_layers.at(static_cast<std::size_t>(layer.value));
  entry.k.narrow(1, first, k.size(0)).copy_(k.transpose(0, 1));
  entry.v.narrow(1, first, v.size(0)).copy_(v.transpose(0, 1));
}

const KvCache::Entry& KvCache::entry(LayerIndex layer) const {
  return m_layers.at(m_entryOf.at(static_cast<std::size_t>(layer.value)));
}

RecurrentMemory& KvCache::recurrent(LayerIndex layer) {
  return m_recurrent.at(static_cast<std::size_t>(layer.value));
}

Tensor KvCache::keys(LayerIndex layer, std::int64_t first, std::int64_t count) const {
  return entry(layer).k.narrow(1, first, count);
}

Tensor KvCache::values(LayerIndex layer, std::int64_t first, std::int64_t count) const {
  return entry(layer).v.narrow(1, first, count);
}

Tensor KvCache::keysAt(LayerIndex layer, const Tensor& index) const {
  return entry(layer).k.index_select(1, index);
}

Tensor KvCache::valuesAt(LayerIndex layer, const Tensor& index) const {
  return entry(layer).v.index_select(1, index);
}

KeptContext::KeptContext(std::vector<std::int64_t> positions, at::Device device)
    : m_positions(std::move(positions)) {
  if (!empty()) m_index = at::tensor(m_positions, at::kLong).to(device);
}

Tensor KeptContext::from(std::int64_t first) const {
  const auto begin = std::lower_bound(m_positions.begin(), m_positions.end(), first);
  const std::int64_t dropped = begin - m_positions.begin();
  return m_index.narrow(0, dropped, m_index.size(0) - dropped);
}

}  // namespace equipatch
