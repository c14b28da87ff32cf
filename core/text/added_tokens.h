#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/json.h"
#include "core/text/normalizer.h"
#include "core/text/phrase_matcher.h"
#include "core/text/vocabulary.h"

namespace equipatch {

/// One of tokenizer.json's "added_tokens": found in the text before anything else is
/// done.
struct AddedToken {
  std::string content;
  std::uint32_t id = 0;
  bool special = false;     ///< a control token: decode may leave it out
  bool singleWord = false;  ///< not within a word
  bool stripsLeft = false;  ///< takes the white space before it
  bool stripsRight = false;
  bool normalized = false;  ///< looked for in the normalized text, not in the text itself
};

/// Tokens that are looked for as they are written, those with `normalized` apart.
class AddedTokens {
 public:
  /// A part of a text: one added token, or what lies between two.
  struct Part {
    ByteSpan range;
    const AddedToken* token = nullptr;
  };

  /// @param model whose pieces the ids must agree with.
  /// @throws Error{BadInput} naming `place` for tokens and ids that cannot be.
  static AddedTokens parse(const Json* json, const Vocabulary& model,
                           const Normalizer& normalizer, const std::string& place);

  /// Parts of the text itself, in order, none empty.
  std::vector<Part> splitRaw(std::string_view text) const;
  /// Parts of a normalized text.
  std::vector<Part> splitNormalized(std::string_view text) const;

  const AddedToken* find(std::int64_t id) const;
  const AddedToken* find(const std::string& content) const;
  std::int64_t size() const { return m_size; }  ///< one more than the largest id, or 0

 private:
  /// The tokens of one kind and what finds them.
  struct Group {
    std::vector<std::size_t> members;  ///< indices of tokens, in the matcher's order
    PhraseMatcher matcher{{}};
  };

  void makeGroups(const Normalizer& normalizer);
  std::vector<Part> split(const Group& group, std::string_view text) const;

  std::vector<AddedToken> m_tokens;
  std::unordered_map<std::int64_t, std::size_t> m_byId;
  std::int64_t m_size = 0;
  Group m_raw;
  Group m_normalized;
};

}  // namespace equipatch
