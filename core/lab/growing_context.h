#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/base/ids.h"

namespace equipatch {

class Transformer;

/// What the tokens of a context do to a language model's weights for one query token.
struct ContextGrowth {
  /// [layer][i]: ‖(ΔW)_{i+1} − (ΔW)_i‖_F of all input projections together, (ΔW)_i being
  /// the update that stands for the first i tokens.
  std::vector<std::vector<double>> steps;
};

/// Lets the context of the last id grow token by token; the last id stays at its position
/// and every token's keys and values are those of the whole text. `onToken` is called
/// before each; what it throws ends the growth.
/// @throws Error{BadInput} for fewer than two ids and for ids or positions the model
/// lacks.
ContextGrowth growContext(const Transformer& transformer, std::span<const TokenId> ids,
                          const std::function<void(std::size_t token)>& onToken);

}  // namespace equipatch
