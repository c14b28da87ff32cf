// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/base/ids.h"

namespace equipatch {

class Transformer;

/// How each token of a context changes a language model's update for one query token.
struct ContextGrowth {
  /// [layer][i]: ‖(ΔW)_{i+1} − (ΔW)_i‖_F over all input projections of the layer, where
  /// (ΔW)_i is the update for the first i tokens.
  std::vector<std::vector<double>> steps;
};

/// Computes the update for the first 0, 1, …, N tokens of the context; the last id is the
/// query. The query keeps its position, and every token's keys and values are those of
/// the whole text. `onToken` is called before each token; an exception from it is passed
/// on.
/// @throws Error{BadInput} for fewer than two ids and for ids or positions that the model
/// does not have.
ContextGrowth growContext(const Transformer& transformer, std::span<const TokenId> ids,
                          const std::function<void(std::size_t token)>& onToken);

}  // namespace equipatch
