// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/text/aligned_text.h"
#include "core/text/text_limits.h"
#include "core/text/token.h"

namespace equipatch {

/// A compiled regular expression over UTF-8. Immutable; any thread. PCRE2 runs it,
/// because Oniguruma is slower (docs/performance.md). Patterns and texts may be hostile.
class Regex {
 public:
  /// @param pattern in Oniguruma's syntax, which tokenizer.json uses.
  /// @throws Error{BadInput} with the reason if the pattern does not compile or is too
  /// long; Error{Unsupported} as pcreFromOniguruma.
  explicit Regex(const std::string& pattern);

  /// Matches without overlap, left to right; an empty match never directly follows
  /// another match. @param text is valid UTF-8. @throws Error{BadInput} when the search
  /// takes too many steps, too long or too much memory, Error{Cancelled} soon after a
  /// stop request.
  std::vector<ByteSpan> matches(std::string_view text, const TextLimits& limits) const;
  std::vector<ByteSpan> matches(std::string_view text) const {
    return matches(text, TextLimits::of(text.size()));
  }

  const std::string& pattern() const { return m_pattern; }

 private:
  struct Program;

  std::string m_pattern;
  std::shared_ptr<const Program> m_program;
};

/// A pattern of tokenizer.json: a literal string or a regular expression.
class Pattern {
 public:
  virtual ~Pattern() = default;

  /// Matches in `text`, left to right, without overlap. @throws Error as Regex::matches;
  /// for a literal, Error{Resource} when the search takes too long.
  virtual std::vector<ByteSpan> matches(std::string_view text,
                                        const TextLimits& limits) const = 0;
  std::vector<ByteSpan> matches(std::string_view text) const {
    return matches(text, TextLimits::of(text.size()));
  }

  /// `text` with every match replaced by `content`.
  AlignedText replace(const AlignedText& text, std::string_view content) const;

  static std::shared_ptr<const Pattern> literal(const std::string& text);
  static std::shared_ptr<const Pattern> regex(const std::string& expression);
  /// Reads {"String": …} or {"Regex": …}.
  /// @throws Error naming `place`: BadInput for any other form, or the error of Regex's
  /// constructor.
  static std::shared_ptr<const Pattern> parse(const Json* json, const std::string& place);
};

}  // namespace equipatch
