// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/base/ids.h"
#include "core/base/progress.h"

namespace equipatch {

struct GivenRows;
class Transformer;

/// How each token of a context changes a language model's ΔW for one query token.
struct ContextGrowth {
  /// [layer][i]: ‖(ΔW)_{i+1} − (ΔW)_i‖_F over all input projections of the layer. (ΔW)_i
  /// is the ΔW for the context up to the i-th token of the growing part; for i = 0,
  /// without this part.
  std::vector<std::vector<double>> changes;
};

/// The part of a context that grows token by token. Tokens before this part are always
/// present, tokens after it never.
struct GrowingPart {
  std::size_t first = 0;  ///< index of its first token in the context
  /// The index after its last token; limited to the context's end.
  std::size_t end = std::numeric_limits<std::size_t>::max();
  /// The rows that replace the embeddings of the context's image tokens; null: no images.
  const GivenRows* images = nullptr;
  Progress* progress = nullptr;  ///< of the pass over the context; null: not reported
};

/// Computes the changes of ΔW while the part grows. The last id is the query, which keeps
/// its position. Every context token keeps its keys and values from the pass over the
/// whole context. Calls `onToken` before the part grows by a token, with the token's
/// index in `ids`.
/// @throws Error{BadInput} for fewer than two ids, a `first` beyond the context's end,
/// and ids or positions that the model does not have; Error{Cancelled}.
ContextGrowth growContext(const Transformer& transformer, std::span<const TokenId> ids,
                          const std::function<void(std::size_t token)>& onToken,
                          const GrowingPart& part = {});

}  // namespace equipatch
