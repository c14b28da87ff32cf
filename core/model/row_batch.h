#pragma once

#include <cstdint>

#include "core/model/kept_context.h"
#include "core/model/kv_cache.h"

namespace equipatch {

/// Rows that go through the model together, so that each weight is read once for all.
///
/// The first `contextRows` rows are consecutive tokens: they see the context in `cache`
/// (and each other, causally) and are written to it. The `reducedRows` after them are
/// passes of one token, the newest, with part of its context removed: they see the kept
/// positions of `cache` and themselves, each by itself, and are not written.
struct RowBatch {
  std::int64_t contextRows = 0;
  std::int64_t reducedRows = 0;
  /// Absolute, of the first context row; where there are reduced rows there is at most
  /// one context row, and they stand at its position.
  std::int64_t firstPosition = 0;
  KvCache* cache = nullptr;  ///< needed for context rows and for what is kept
  KeptContext kept = {};     ///< what reduced rows see besides themselves
  /// Context rows see nothing before it.
  std::int64_t visibleFrom = 0;
  /// Length of the text the rows are part of, when later rows of it are still to come; 0:
  /// it ends with them.
  std::int64_t wholeLength = 0;

  std::int64_t sequence() const {
    if (wholeLength > 0) return wholeLength;
    return firstPosition + (contextRows > 0 ? contextRows : 1);
  }
  std::int64_t rows() const { return contextRows + reducedRows; }
};

}  // namespace equipatch
