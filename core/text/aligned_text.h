// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/text_limits.h"
#include "core/text/token.h"

namespace equipatch {

/// A text that was made from an original by rewriting, with the position in the original
/// of each of its bytes.
///
/// Boundary k (0 … size) of this text corresponds to byte origin(k) of the original.
/// Origins never decrease; therefore ranges that partition this text map to ranges that
/// partition the original.
class AlignedText {
 public:
  /// The largest size in bytes.
  static constexpr std::size_t kLargestSize = std::size_t{1} << 26;

  /// A text that begins at byte `offset` of the original, with the limits for its size.
  /// @throws Error{Resource} for more than kLargestSize bytes, here and below.
  explicit AlignedText(std::string_view text, std::size_t offset = 0);
  AlignedText(std::string_view text, std::size_t offset, const TextLimits& limits);

  const std::string& text() const { return m_text; }
  std::size_t origin(std::size_t boundary) const {
    return m_origins.empty() ? m_offset + boundary : m_origins[boundary];
  }
  /// The limits for this text and all texts made from it.
  const TextLimits& limits() const { return m_limits; }
  AlignedText slice(ByteSpan range) const;

 private:
  friend class TextRewriter;

  std::string m_text;
  std::size_t m_offset = 0;  ///< origin of byte 0 while the text is unchanged
  TextLimits m_limits;
  std::vector<std::uint32_t>
      m_origins;  ///< [size + 1]; empty while the text is unchanged
};

/// Builds an AlignedText from another, left to right.
///
/// The first character of a replacement gets the origin range of everything that was
/// replaced; the other characters of the replacement get empty ranges. The range of
/// removed text goes to the next character, or at the end of the text to the last one.
class TextRewriter {
 public:
  /// @param source must outlive this.
  explicit TextRewriter(const AlignedText& source);

  /// Copies the next `count` bytes of the source.
  /// @throws Error as requireTime and requireSize of the source's limits, here and below.
  void keep(std::size_t count);
  void replace(std::size_t count, std::string_view text);

  std::size_t position() const { return m_position; }  ///< in the source
  std::size_t size() const { return m_text.size(); }   ///< of the result so far

  /// Copies the rest of the source and returns the result.
  AlignedText finish();

 private:
  const AlignedText& m_source;
  StepCounter m_steps;
  std::size_t m_position = 0;
  std::size_t m_next;  ///< origin of the next byte of the result
  std::string m_text;
  std::vector<std::uint32_t> m_origins;
};

/// How a text is split at delimiters, as in Hugging Face's tokenizers.
enum class SplitBehavior {
  Removed,             ///< the text between the delimiters remains
  Isolated,            ///< delimiters become separate pre-tokens
  MergedWithPrevious,  ///< a delimiter belongs to the pre-token that it ends
  MergedWithNext,      ///< a delimiter belongs to the pre-token that it begins
  Contiguous,          ///< adjacent parts of one kind become one pre-token
};

/// Whether the pattern matches the delimiters or the text between them.
enum class MatchSense { Delimiters, Content };

/// @throws Error{BadInput} naming `place` for an unknown name.
SplitBehavior parseSplitBehavior(const std::string& name, const std::string& place);

/// A text and its pre-tokens: byte ranges, ascending, disjoint, not empty. Bytes outside
/// all pre-tokens are not tokenized.
struct PreTokenizedText {
  AlignedText text;
  std::vector<ByteSpan> preTokens;

  /// All of `whole` as one pre-token.
  explicit PreTokenizedText(AlignedText whole);

  std::string_view bytes(ByteSpan range) const {
    return std::string_view(text.text()).substr(range.begin, range.end - range.begin);
  }

  /// Splits each pre-token separately. `matchesOf` returns ascending, disjoint ranges,
  /// relative to the pre-token.
  void split(
      const std::function<std::vector<ByteSpan>(std::string_view preToken)>& matchesOf,
      SplitBehavior behavior, MatchSense sense);

  /// Rewrites each pre-token and drops the bytes outside all pre-tokens. The rewriter's
  /// position is the start of the pre-token; `rewriteOne` must consume all of it.
  void rewrite(const std::function<void(TextRewriter&, ByteSpan preToken)>& rewriteOne);
};

}  // namespace equipatch
