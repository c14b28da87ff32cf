// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/text/pipeline/flat_map.h"
#include "core/text/pipeline/normalizer.h"
#include "core/text/pipeline/phrase_automaton.h"
#include "core/text/pipeline/piece_model.h"
#include "core/text/text_limits.h"
#include "core/text/token.h"

namespace equipatch {

/// Finds a fixed set of phrases in a text, in time linear in the text for any number and
/// length of phrases.
class PhraseMatcher {
 public:
  struct Match {
    ByteSpan range;
    std::size_t phrase = 0;  ///< index in the constructor's `phrases`
  };

  /// Empty phrases never match; of equal phrases, only the first matches.
  /// @throws Error{Cancelled} soon after `progress` asks to stop.
  explicit PhraseMatcher(const std::vector<std::string>& phrases,
                         const Progress& progress = SilentProgress());

  /// The leftmost-longest matches, without overlap.
  /// @throws Error as TextLimits::requireTime.
  std::vector<Match> matches(std::string_view text, const TextLimits& limits) const;
  std::vector<Match> matches(std::string_view text) const {
    return matches(text, TextLimits::of(text.size()));
  }

 private:
  std::vector<std::size_t> m_lengths;
  /// Of the reversed phrases. Reading a text from its end, it gives for each byte the
  /// longest phrase that starts there.
  PhraseAutomaton m_reversed;
};

/// An entry of tokenizer.json's "added_tokens": a text that becomes one token, found
/// before pre-tokenization.
struct AddedToken {
  std::string content;
  std::uint32_t id = 0;
  bool special = false;      ///< a control token, which decode can omit
  bool singleWord = false;   ///< no character of a word may touch it
  bool stripsLeft = false;   ///< includes the white space before it
  bool stripsRight = false;  ///< includes the white space after it
  bool normalized = false;   ///< matched in the normalized text instead of the raw text
};

/// Splits texts at added tokens.
class AddedTokens {
 public:
  /// An added token, or a stretch of text without added tokens.
  struct Part {
    ByteSpan range;
    const AddedToken* token = nullptr;  ///< null: text
  };

  /// @param json null: there are no added tokens
  /// @param model the vocabulary, which must not contradict the added tokens' ids
  /// @param normalizer applied to the content of the tokens with `normalized`
  /// @throws Error{BadInput} naming `place` for invalid tokens and ids,
  /// Error{Unsupported} for an unknown setting of a token, Error{Cancelled} soon after
  /// `progress` asks to stop, and the errors of Normalizer::normalize.
  static AddedTokens parse(const Json* json, const Vocabulary& model,
                           const Normalizer& normalizer, const std::string& place,
                           const Progress& progress = SilentProgress());

  /// Splits a raw text at the tokens without `normalized`, in order, into parts that are
  /// not empty. @throws Error as TextLimits::requireTime, here and below.
  std::vector<Part> splitRaw(std::string_view text, const TextLimits& limits) const;
  /// Splits a normalized text at the tokens with `normalized`.
  std::vector<Part> splitNormalized(std::string_view text,
                                    const TextLimits& limits) const;

  const AddedToken* find(std::int64_t id) const;
  const AddedToken* find(const std::string& content) const;
  std::int64_t size() const { return m_size; }  ///< one more than the largest id, or 0

 private:
  struct Group {
    std::vector<std::size_t> members;  ///< indices in m_tokens, in the matcher's order
    PhraseMatcher matcher{{}};
  };

  void makeGroups(const Normalizer& normalizer, const Progress& progress);
  std::vector<Part> split(const Group& group, std::string_view text,
                          const TextLimits& limits) const;

  std::vector<AddedToken> m_tokens;
  FlatMap<std::size_t> m_byId;  ///< indices in m_tokens
  std::int64_t m_size = 0;
  Group m_raw;
  Group m_normalized;
};

}  // namespace equipatch
