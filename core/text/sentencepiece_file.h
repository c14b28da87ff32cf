#pragma once

#include <string>
#include <string_view>

namespace equipatch {

/// What must be known of a tokenizer.model beyond what the SentencePiece library tells.
struct SentencePieceFile {
  /// Whether a "▁" is put before every text.
  bool addsDummyPrefix = true;

  /// Also checks the tables that the library uses without looking whether they stay
  /// within their bounds. @throws Error{BadInput} naming `source`.
  static SentencePieceFile inspect(std::string_view bytes, const std::string& source);
};

}  // namespace equipatch
