#pragma once

#include <cstdint>

#include "core/model/kv_cache.h"

namespace equipatch {

/// Rows that go through the model together, so that each weight is read once for all.
///
/// The first `contextRows` rows are consecutive tokens: they see the whole context in
/// `cache` (and each other, causally) and are written to it. The `loneRows` after them
/// are passes of the newest token with its context removed: they see only themselves.
struct RowBatch {
  std::int64_t contextRows = 0;
  std::int64_t loneRows = 0;
  std::int64_t firstPosition = 0;  ///< absolute, of the first context row
  KvCache* cache = nullptr;        ///< needed when there are context rows
  /// Length of the text the context rows are part of, when later rows of it are still to
  /// come; 0: it ends with them.
  std::int64_t wholeLength = 0;

  std::int64_t sequence() const {
    return wholeLength > 0 ? wholeLength : firstPosition + contextRows;
  }
  std::int64_t rows() const { return contextRows + loneRows; }
};

}  // namespace equipatch
