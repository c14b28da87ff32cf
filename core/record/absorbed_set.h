#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/token.h"

namespace equipatch {

/// Positions from `first` to `last`, both included.
struct PositionRange {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool operator==(const PositionRange&) const = default;
};

/// Which part Y of the context is absorbed, said by what is kept. Whatever it says, the
/// newest token x is not absorbed while it is x.
struct AbsorbedSet {
  std::vector<PositionRange> keptPrompt;  ///< ascending, apart from each other
  bool keepsGenerated = false;

  /// Everything is absorbed: the default.
  bool whole() const { return keptPrompt.empty() && !keepsGenerated; }
  bool keeps(std::int64_t position, std::int64_t promptLength) const;
  /// The kept positions of the context of the token at position `x`, ascending.
  std::vector<std::int64_t> keptBefore(std::int64_t x, std::int64_t promptLength) const;

  bool operator==(const AbsorbedSet&) const = default;
};

/// Reads what `--absorb` takes: "all"; "prompt" (generated tokens are kept); "none";
/// "keep-bos" (all but the special token the prompt starts with); or ranges of prompt
/// positions such as "0-12,20" (generated tokens are kept unless ",generated" is added).
/// @throws Error{BadInput} naming what is none of these or beyond the prompt.
AbsorbedSet parseAbsorbedSet(std::string_view text, const std::vector<Token>& prompt);

/// What parses to `set` again for a prompt of that many tokens.
std::string absorbedText(const AbsorbedSet& set, std::int64_t promptLength);

}  // namespace equipatch
