// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>

namespace equipatch {

/// A distinct integer type for each kind of id. `Tag` is never defined.
template <typename Tag>
struct Id {
  std::int64_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(std::int64_t number) : value(number) {}
  auto operator<=>(const Id&) const = default;
};

using LayerIndex = Id<struct LayerTag>;  ///< layer number, 0 is the first
using StepIndex =
    Id<struct StepTag>;               ///< generation step, 0 computes the first new token
using TokenId = Id<struct TokenTag>;  ///< row of the embedding matrix
using Position =
    Id<struct PositionTag>;  ///< absolute position of a token, 0 is the first

}  // namespace equipatch
