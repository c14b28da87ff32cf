// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/spec.h"
#include "core/model/arithmetic.h"
#include "core/model/recurrent_memory.h"

namespace equipatch {

/// The layers' memory of the context: keys and values by absolute position, or the inputs
/// and states of a recurrence. Not thread-safe.
class KvCache {
 public:
  /// Allocates the keys and values of all positions.
  /// @param capacity in positions
  /// @param held the inputs that recurrent layers hold; Recent suffices if the text only
  /// grows and no part of the context is kept
  /// @throws Error{Resource} if memory does not suffice
  KvCache(const ModelSpec& spec, std::int64_t capacity, const Arithmetic& arithmetic,
          HeldInputs held = HeldInputs::All);

  /// The number of positions held, which `write` does not change.
  std::int64_t length() const { return m_length; }
  std::int64_t capacity() const { return m_capacity; }
  /// Positions that were never written hold zeros.
  void setLength(std::int64_t length) { m_length = length; }

  /// Stores k, v [rows, kvHeads, headDim] at positions `first`, `first` + 1, …
  void write(LayerIndex layer, std::int64_t first, const Tensor& k, const Tensor& v);

  /// Views [kvHeads, count, headDim] of positions `first`, `first` + 1, …
  Tensor keys(LayerIndex layer, std::int64_t first, std::int64_t count) const;
  Tensor values(LayerIndex layer, std::int64_t first, std::int64_t count) const;
  /// Copies [kvHeads, count, headDim] of the positions in `index` [count].
  Tensor keysAt(LayerIndex layer, const Tensor& index) const;
  Tensor valuesAt(LayerIndex layer, const Tensor& index) const;

  /// The memory of a recurrent layer; empty for other layers.
  RecurrentMemory& recurrent(LayerIndex layer);

 private:
  struct Entry {
    Tensor k, v;  ///< [kvHeads, capacity, headDim], in the dtype of activations
  };

  const Entry& entry(LayerIndex layer) const;

  std::vector<Entry> m_layers;  ///< undefined tensors: the layer stores no keys
  std::vector<RecurrentMemory> m_recurrent;
  std::vector<std::size_t> m_entryOf;  ///< by layer: the m_layers index of its keys
  std::int64_t m_capacity;
  std::int64_t m_length = 0;
};

/// One layer's keys and values of the rows of a forward pass.
struct RowKeys {
  /// [n, kvHeads, headDim], rotated, of the batch's first n rows: all rows except reduced
  /// rows that see only themselves. Undefined if n is 0.
  Tensor k;
  Tensor v;  ///< [rows, kvHeads, headDim], of all rows
};

/// The positions of the context that reduced rows still see. Reduced rows read the kept
/// tokens' keys and values from the contextual pass's cache: each kept token would have
/// the same under its own patch (docs/maths.md, "Part of the context").
class KeptContext {
 public:
  KeptContext() = default;
  /// @param positions ascending, all before the position of the reduced rows
  KeptContext(std::vector<std::int64_t> positions, at::Device device);

  bool empty() const { return m_positions.empty(); }
  const std::vector<std::int64_t>& positions() const { return m_positions; }
  /// The kept positions ≥ `first`, as an index tensor. Call it only if something is kept.
  Tensor from(std::int64_t first) const;

 private:
  std::vector<std::int64_t> m_positions;
  Tensor m_index;  ///< m_positions
};

/// The consecutive positions of an image or of adjacent images. In attention, each token
/// sees the whole group, including later tokens and tokens outside the sliding window.
struct TokenGroup {
  std::int64_t first = 0;
  std::int64_t count = 0;

  std::int64_t end() const { return first + count; }
};

/// Rows that go through the model together.
///
/// The first `contextRows` rows are consecutive tokens. Each sees the context in `cache`,
/// earlier rows and itself. Its keys and values are written to `cache`.
///
/// The `reducedRows` rows after them are passes of the newest token without the absorbed
/// part of its context. Each sees the kept positions of `cache` and itself; its keys and
/// values are not written.
struct RowBatch {
  std::int64_t contextRows = 0;
  std::int64_t reducedRows = 0;
  /// Absolute position of the first context row and of every reduced row. Beside reduced
  /// rows there is at most one context row.
  std::int64_t firstPosition = 0;
  KvCache* cache = nullptr;  ///< needed for context rows and for kept positions
  KeptContext kept = {};
  /// Rows do not see positions of the cache before this one.
  std::int64_t visibleFrom = 0;
  /// Length of the text that the rows are part of; 0: the text ends with the rows.
  std::int64_t wholeLength = 0;
  /// Each group lies within the context rows.
  std::vector<TokenGroup> groups = {};
  /// Per-layer embeddings [rows, layers, perLayerWidth]; undefined if the model has none.
  Tensor perLayer = {};
  /// By layer; each layer fills its own entry. Needed if layers share keys and values.
  std::vector<RowKeys>* rowKeys = nullptr;
  LayerProgress* progress = nullptr;  ///< may be null

  std::int64_t textLength() const {
    if (wholeLength > 0) return wholeLength;
    return firstPosition + (contextRows > 0 ? contextRows : 1);
  }
  std::int64_t rows() const { return contextRows + reducedRows; }
};

}  // namespace equipatch
