#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/pipeline/normalizer.h"

namespace equipatch {

/// SentencePiece's compiled table of characters to replace: a double array (of the kind
/// of Darts) over the bytes of what is replaced, and the texts that replace it.
class Charsmap {
 public:
  /// Checks that no step and no text lies outside the table, so that lookups need not.
  /// @throws Error{BadInput} naming `source` otherwise.
  static Charsmap parse(std::string_view bytes, const std::string& source);

  /// What stands for the shortest beginning of `text` that the table knows, or nothing
  /// when it knows none. (That Hugging Face takes the shortest is part of what a
  /// tokenizer.json means; SentencePiece takes the longest.)
  std::optional<std::string_view> find(std::string_view text) const;

 private:
  std::vector<std::uint32_t> m_units;
  std::string m_texts;  ///< each ended by a zero byte
};

/// Replaces characters by a table of SentencePiece's, as Hugging Face does it: a cluster
/// (what a reader sees as one character) of fewer than six bytes is looked up whole, and
/// all of it is replaced by what its shortest known beginning stands for; longer ones,
/// and those not found, character by character.
std::shared_ptr<const Normalizer> precompiledNormalizer(Charsmap table);

}  // namespace equipatch
