#pragma once

#include <cstdint>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/model/arithmetic.h"

namespace equipatch {

/// Keys and values of the context, by layer and absolute position. Allocated once for a
/// whole run; positions are filled in order. One thread at a time.
class KvCache {
 public:
  /// @param capacity positions. @throws Error{Resource} when memory does not suffice.
  KvCache(const ModelSpec& spec, std::int64_t capacity, const Arithmetic& arithmetic);

  /// Positions held, the same for all layers once a forward pass is over.
  std::int64_t length() const { return m_length; }
  std::int64_t capacity() const { return m_capacity; }
  void setLength(std::int64_t length) { m_length = length; }

  /// Stores k, v [rows, kvHeads, headDim] at positions `first`, `first` + 1, …
  void write(LayerIndex layer, std::int64_t first, const Tensor& k, const Tensor& v);

  /// [kvHeads, count, headDim] of positions `first`…, where and as they are kept.
  Tensor keys(LayerIndex layer, std::int64_t first, std::int64_t count) const;
  Tensor values(LayerIndex layer, std::int64_t first, std::int64_t count) const;
  /// Copies of those of any positions, in the order of `index` [count].
  Tensor keysAt(LayerIndex layer, const Tensor& index) const;
  Tensor valuesAt(LayerIndex layer, const Tensor& index) const;

 private:
  struct Entry {
    Tensor k, v;  ///< [kvHeads, capacity, headDim], in the dtype
  };

  const Entry& entry(LayerIndex layer) const;

  std::vector<Entry> m_layers;
  std::int64_t m_capacity;
  std::int64_t m_length = 0;
};

}  // namespace equipatch
