// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"

namespace equipatch {

/// Properties of a tokenizer.model, read without the SentencePiece library.
struct SentencePieceFile {
  enum class Algorithm : std::uint64_t { Unigram = 1, BytePair = 2, Word = 3, Char = 4 };

  Algorithm algorithm = Algorithm::Unigram;
  bool byteFallback = false;
  bool spaceIsSuffix = false;  ///< "▁" ends words instead of beginning them
  /// True if a "▁" is added before every text, or with spaceIsSuffix after it.
  bool addsDummyPrefix = true;
  bool removesExtraSpaces = true;
  bool escapesSpaces = true;        ///< " " becomes "▁"
  bool replacesCharacters = false;  ///< has a table of characters to replace
  std::vector<std::string> pieces;  ///< by id, of every kind

  /// Reads the properties and checks the tables that the library uses without bounds
  /// checks. @throws Error{BadInput} naming `source`, Error{Cancelled} soon after
  /// `progress` asks to stop.
  static SentencePieceFile inspect(std::string_view bytes, const std::string& source,
                                   const Progress& progress = SilentProgress());
};

}  // namespace equipatch
