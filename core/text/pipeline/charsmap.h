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
/// of the texts to replace, and the replacements.
class Charsmap {
 public:
  /// @throws Error{BadInput} naming `source` when an offset points outside the table or a
  /// replacement is not UTF-8.
  static Charsmap parse(std::string_view bytes, const std::string& source);

  /// The replacement of the shortest prefix of `text` in the table, or nothing. Hugging
  /// Face takes the shortest prefix, SentencePiece the longest.
  std::optional<std::string_view> find(std::string_view text) const;

 private:
  std::vector<std::uint32_t> m_units;
  std::string m_texts;  ///< each ended by a zero byte
};

/// Replaces characters by a SentencePiece table, as Hugging Face does. A grapheme cluster
/// of at most five bytes is replaced as a whole by what Charsmap::find returns for it. If
/// the cluster is longer or `find` returns nothing, each of its characters is looked up.
std::shared_ptr<const Normalizer> precompiledNormalizer(Charsmap table);

}  // namespace equipatch
