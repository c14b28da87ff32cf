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
/// and states of a recurrence. The constructor allocates the keys and values of all
/// positions. Not thread-safe.
class KvCache {
 public:
  /// @param capacity number of positions
  /// @param held the inputs that recurrent layers hold; Recent suffices if the text only
  /// grows and no part of the context is kept
  /// @throws Error{Resource} if memory does not suffice
  KvCache(const ModelSpec& spec, std::int64_t capacity, const Arithmetic& arithmetic,
          HeldInputs held = HeldInputs::All);

  /// The number of positions held, the same for all layers after a forward pass.
  std::int64_t length() const { return m_length; }
  std::int64_t capacity() const { return m_capacity; }
  /// Sets the number of positions held. A smaller number drops the positions at the end.
  /// Positions that were never written hold zeros.
  void setLength(std::int64_t length) { m_length = length; }

  /// Stores k, v [rows, kvHeads, headDim] at positions `first`, `first` + 1, …; leaves
  /// `length` as it is.
  void write(LayerIndex layer, std::int64_t first, const Tensor& k, const Tensor& v);

  /// Views [kvHeads, count, headDim] of positions `first`, `first` + 1, …
  Tensor keys(LayerIndex layer, std::int64_t first, std::int64_t count) const;
  Tensor values(LayerIndex layer, std::int64_t first, std::int64_t count) const;
  /// Copies [kvHeads, count, headDim] of the positions in `index` [count].
  Tensor keysAt(LayerIndex layer, const Tensor& index) const;
  Tensor valuesAt(LayerIndex layer, const Tensor& index) const;

  /// The memory of a recurrent layer, which has no keys and values. Other layers have an
  /// empty memory.
  RecurrentMemory& recurrent(LayerIndex layer);

 private:
  struct Entry {
    Tensor k, v;  ///< [kvHeads, capacity, headDim], in the dtype of activations
  };

  const Entry& entry(LayerIndex layer) const;

  std::vector<Entry> m_layers;  ///< empty where a layer stores no keys
  std::vector<RecurrentMemory> m_recurrent;
  std::vector<std::size_t> m_entryOf;  ///< by layer: the index in m_layers that it reads
  std::int64_t m_capacity;
  std::int64_t m_length = 0;
};

/// One layer's keys and values of the rows of a forward pass. Later layers that share the
/// layer's keys and values read them.
struct RowKeys {
  /// [n, kvHeads, headDim], rotated. The first n rows are those that see more than
  /// themselves. Undefined if n is 0.
  Tensor k;
  Tensor v;  ///< [rows, kvHeads, headDim]
};

/// The positions of the context that reduced rows still see. A kept token has a patch of
/// its own, which gives it the keys and values that it has in the whole context. Reduced
/// rows therefore read those of the contextual pass's cache (docs/maths.md, "Part of the
/// context").
class KeptContext {
 public:
  /// Keeps nothing.
  KeptContext() = default;
  /// @param positions ascending, all before the token's own
  KeptContext(std::vector<std::int64_t> positions, at::Device device);

  bool empty() const { return m_positions.empty(); }
  const std::vector<std::int64_t>& positions() const { return m_positions; }
  /// The kept positions that are not before `first` (the start of a sliding window), as
  /// an index tensor. Call it only if something is kept.
  Tensor from(std::int64_t first) const;

 private:
  std::vector<std::int64_t> m_positions;
  Tensor m_index;  ///< m_positions as a tensor [positions]
};

/// The consecutive positions of an image or of adjacent images. In attention, a token of
/// the group sees what its position sees and also the whole group, including later tokens
/// and tokens outside the sliding window.
struct TokenGroup {
  std::int64_t first = 0;
  std::int64_t count = 0;

  std::int64_t end() const { return first + count; }
};

/// Rows that go through the model together, so that each weight is read once for all.
///
/// The first `contextRows` rows are consecutive tokens. Each sees the context in `cache`,
/// the rows before it, itself and, within a group, the whole group. Their keys and values
/// are written to `cache`.
///
/// The `reducedRows` rows after them are passes of the newest token without the absorbed
/// part of its context, such as the patched and the bare pass. Each sees the kept
/// positions of `cache` and itself; its keys and values are not written.
struct RowBatch {
  std::int64_t contextRows = 0;
  std::int64_t reducedRows = 0;
  /// Absolute position of the first context row and of every reduced row. Beside reduced
  /// rows there is at most one context row.
  std::int64_t firstPosition = 0;
  KvCache* cache = nullptr;  ///< needed for context rows and for kept positions
  KeptContext kept = {};     ///< what reduced rows see besides themselves
  /// Context rows do not see positions before this one.
  std::int64_t visibleFrom = 0;
  /// Length of the text that the rows are part of; 0: the text ends with the rows.
  std::int64_t wholeLength = 0;
  /// Groups of context rows that see each other; no group reaches beyond the batch.
  std::vector<TokenGroup> groups = {};
  /// The rows' per-layer embeddings [rows, layers, perLayerWidth]; undefined in models
  /// without them.
  Tensor perLayer = {};
  /// Keys and values of these rows by layer, in models whose layers share them. Each
  /// layer fills its own entry.
  std::vector<RowKeys>* rowKeys = nullptr;
  LayerProgress* progress = nullptr;  ///< counts finished layers; may be null

  /// Length of the text that the rows are part of.
  std::int64_t textLength() const {
    if (wholeLength > 0) return wholeLength;
    return firstPosition + (contextRows > 0 ? contextRows : 1);
  }
  std::int64_t rows() const { return contextRows + reducedRows; }
};

}  // namespace equipatch
