// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/pipeline/normalizer.h"

namespace equipatch {

/// SentencePiece's compiled table of character replacements: a double-array trie (Darts)
/// over the bytes of the replaced text, and the replacements.
class Charsmap {
 public:
  /// Checks that all offsets are inside the table and all replacements are UTF-8.
  /// @throws Error{BadInput} naming `source` otherwise.
  static Charsmap parse(std::string_view bytes, const std::string& source);

  /// The replacement of the shortest prefix of `text` in the table, or nothing. (Hugging
  /// Face takes the shortest prefix, SentencePiece the longest; tokenizer.json means the
  /// former.)
  std::optional<std::string_view> find(std::string_view text) const;

 private:
  std::vector<std::uint32_t> m_units;
  std::string m_texts;  ///< each ended by a zero byte
};

/// Replaces characters by a SentencePiece table, as Hugging Face does: a grapheme cluster
/// of fewer than six bytes is looked up as a whole, and its shortest known prefix
/// determines the replacement of all of it; longer and unknown clusters are replaced
/// character by character.
std::shared_ptr<const Normalizer> precompiledNormalizer(Charsmap table);

}  // namespace equipatch
