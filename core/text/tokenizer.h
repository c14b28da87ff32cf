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

/// The formats of tokenizer files.
enum class TokenizerFormat {
  HuggingFace,    ///< tokenizer.json
  SentencePiece,  ///< tokenizer.model
  Ranks,          ///< tokenizer.model or *.tiktoken; lines of a base64 piece and its rank
  VocabFiles,     ///< vocab.json and merges.txt
};

/// The file, or the two files, that hold a folder's tokenizer.
struct TokenizerFiles {
  TokenizerFormat format = TokenizerFormat::HuggingFace;
  std::filesystem::path path;
  std::filesystem::path merges;  ///< merges.txt (VocabFiles), otherwise empty

  /// Chooses as transformers does: tokenizer.json; else the files of the class that
  /// tokenizer_config.json names; else the files that exist. Empty when there are none.
  /// @throws Error{BadInput} for several *.tiktoken, or a file that is needed for the
  /// choice and cannot be read.
  static std::optional<TokenizerFiles> find(const std::filesystem::path& folder);
};

/// How special tokens are handled in encoding and decoding.
enum class SpecialTokens {
  Add,
  Omit,
  /// Adds none and recognises all that the text contains, as in a rendered chat template.
  /// (With Add and Omit a tokenizer.model reads "<s>" as three characters.)
  Written,
};

/// Text to token ids and back. Immutable after construction; any thread.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Tokens of `text` with their byte spans. `Add` adds BOS and the other tokens of the
  /// tokenizer's post-processing. @throws Error{BadInput} naming the first invalid byte
  /// of UTF-8, or for a text that the tokenizer cannot represent, or for a regular
  /// expression that takes too long; Error{Resource} for a text that is too long, or
  /// beyond TextLimits; Error{Cancelled} soon after a stop request.
  virtual std::vector<Token> encode(std::string_view text, SpecialTokens specials,
                                    std::stop_token stop = {}) const = 0;

  /// The text of a sequence, as Hugging Face's decode(skip_special_tokens = Omit).
  /// Invalid UTF-8 becomes U+FFFD; ids without a piece are skipped.
  /// @throws Error{BadInput} for a negative id, here and below; Error as Decoder::apply,
  /// here and in `surface`.
  virtual std::string decode(std::span<const TokenId> ids,
                             SpecialTokens specials) const = 0;

  /// The bytes that a token adds in the middle of a text ("▁a" gives " a"), possibly part
  /// of a character. Special tokens give their name, ids without a piece an empty text.
  virtual std::string surface(TokenId id) const = 0;

  /// The token as in the vocabulary; "<unused 50300>" for an id without a piece, since
  /// models often have more embedding rows than their tokenizer has pieces.
  virtual std::string piece(TokenId id) const = 0;
  virtual std::int64_t size() const = 0;  ///< one more than the largest id

  /// Opens what TokenizerFiles finds.
  /// @throws Error naming the file, or the unknown component and its type;
  /// Error{Cancelled} soon after `progress` asks to stop.
  static std::shared_ptr<const Tokenizer> open(
      const std::filesystem::path& folder, const Progress& progress = SilentProgress());
  /// True if the folder has tokenizer files that `open` would read, even damaged ones.
  /// @throws Error{BadInput} as TokenizerFiles::find
  static bool present(const std::filesystem::path& folder);
  /// The `path` of TokenizerFiles; nothing if there is none. @throws as `present`.
  static std::optional<std::filesystem::path> fileOf(const std::filesystem::path& folder);
};

}  // namespace equipatch
