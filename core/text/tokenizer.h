// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/text/token.h"

namespace equipatch {

enum class TokenizerFormat {
  HuggingFace,    ///< tokenizer.json
  SentencePiece,  ///< tokenizer.model
  Ranks,          ///< tokenizer.model or *.tiktoken; lines of a base64 piece and its rank
  VocabFiles,     ///< vocab.json and merges.txt
};

/// The file or files that hold a folder's tokenizer.
struct TokenizerFiles {
  TokenizerFormat format = TokenizerFormat::HuggingFace;
  std::filesystem::path path;
  std::filesystem::path merges;  ///< merges.txt (VocabFiles), otherwise empty

  /// Prefers tokenizer.json, as transformers does. If both tokenizer.model and vocab.json
  /// with merges.txt exist, the class in tokenizer_config.json decides.
  /// @throws Error{BadInput} for several *.tiktoken, or if a file that is needed for the
  /// choice cannot be read.
  static std::optional<TokenizerFiles> find(const std::filesystem::path& folder);
};

/// What `encode` does with special tokens. `decode` leaves them out only for Omit.
enum class SpecialTokens {
  Add,   ///< adds BOS and the other tokens of the tokenizer's post-processing
  Omit,  ///< adds none
  /// Adds none and recognises all that the text contains, as in a rendered chat template.
  /// (With Add and Omit, a tokenizer.model reads "<s>" as three characters.)
  Written,
};

/// Immutable after construction; any thread.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// @throws Error as requireTokenizable; Error{BadInput} for a text that the tokenizer
  /// cannot represent, or a regular expression that takes too long; Error{Resource}
  /// beyond TextLimits; Error{Cancelled} soon after a stop request.
  virtual std::vector<Token> encode(std::string_view text, SpecialTokens specials,
                                    std::stop_token stop = {}) const = 0;

  /// As Hugging Face's `decode`, with skip_special_tokens for Omit. Invalid UTF-8 becomes
  /// U+FFFD; ids without a piece are skipped.
  /// @throws Error{BadInput} for a negative id, here and below; Error as Decoder::apply,
  /// here and in `surface`.
  virtual std::string decode(std::span<const TokenId> ids,
                             SpecialTokens specials) const = 0;

  /// The bytes that a token adds in the middle of a text ("▁a" gives " a"), possibly part
  /// of a character. Special tokens give their piece, ids without a piece an empty text.
  virtual std::string surface(TokenId id) const = 0;

  /// The token as in the vocabulary; `nameOfUnused` for an id without a piece.
  virtual std::string piece(TokenId id) const = 0;
  virtual std::int64_t size() const = 0;  ///< one more than the largest id

  /// Opens the files that TokenizerFiles::find chooses.
  /// @throws Error naming the file, or the unknown component and its type;
  /// Error{Cancelled} soon after `progress` asks to stop.
  static std::shared_ptr<const Tokenizer> open(
      const std::filesystem::path& folder, const Progress& progress = SilentProgress());
  /// True if TokenizerFiles::find chooses files, even damaged ones.
  /// @throws Error{BadInput} as TokenizerFiles::find
  static bool present(const std::filesystem::path& folder);
  /// TokenizerFiles::path, if there is any. @throws as `present`.
  static std::optional<std::filesystem::path> fileOf(const std::filesystem::path& folder);
};

}  // namespace equipatch
