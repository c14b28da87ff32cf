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

/// SentencePiece's compiled table of character replacements: a double-array trie (Darts),
/// whose keys are the texts to replace, and the replacements.
class Charsmap {
 public:
  /// Checks that all offsets are inside the table and all replacements are UTF-8.
  /// @throws Error{BadInput} naming `source` otherwise.
  static Charsmap parse(std::string_view bytes, const std::string& source);

  /// The replacement of the shortest prefix of `text` in the table, or nothing. (Hugging
  /// Face takes the shortest prefix, SentencePiece the longest; tokenizer.json files are
  /// written for Hugging Face.)
  std::optional<std::string_view> find(std::string_view text) const;

 private:
  std::vector<std::uint32_t> m_units;
  std::string m_texts;  ///< each ended by a zero byte
};

/// Replaces characters by a SentencePiece table, as Hugging Face does. If the table has a
/// prefix of a grapheme cluster of fewer than six bytes, the replacement of the shortest
/// such prefix replaces the whole cluster. All other clusters are replaced character by
/// character.
std::shared_ptr<const Normalizer> precompiledNormalizer(Charsmap table);

}  // namespace equipatch
