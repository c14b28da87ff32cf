#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/text/aligned_text.h"
#include "core/text/token.h"

namespace equipatch {

/// What tokenizer.json calls a pattern: a literal string or a regular expression.
class Pattern {
 public:
  virtual ~Pattern() = default;

  /// Matches in `text`, left to right, without overlap.
  virtual std::vector<ByteSpan> matches(std::string_view text) const = 0;

  /// `text` with every match replaced by `content`.
  AlignedText replace(const AlignedText& text, std::string_view content) const;

  static std::shared_ptr<const Pattern> literal(const std::string& text);
  static std::shared_ptr<const Pattern> regex(const std::string& expression);
  /// {"String": …} or {"Regex": …}; `place` is named in errors.
  static std::shared_ptr<const Pattern> parse(const Json* json, const std::string& place);
};

}  // namespace equipatch
