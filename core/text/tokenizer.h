#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/token.h"

namespace equipatch {

/// The kinds of file that say how a text becomes tokens.
enum class TokenizerFormat {
  HuggingFace,    ///< tokenizer.json
  SentencePiece,  ///< tokenizer.model
  Ranks,          ///< tokenizer.model or *.tiktoken of base64 and rank
  VocabFiles,     ///< vocab.json and merges.txt
};

/// Which of a folder's files its tokenizer is read from.
struct TokenizerFiles {
  TokenizerFormat format = TokenizerFormat::HuggingFace;
  std::filesystem::path path;
  std::filesystem::path merges;  ///< beside a vocab.json

  /// As transformers chooses: tokenizer.json; else the files of the class that
  /// tokenizer_config.json names; else what there is. Nothing where there is none.
  static std::optional<TokenizerFiles> find(const std::filesystem::path& folder);
};

/// About the tokens that the tokenizer puts around a text, and what a text spells like
/// them.
enum class SpecialTokens {
  Add,
  Omit,
  /// None are added, and all that the text spells are found, as chat templates write
  /// them. (With Add and Omit a tokenizer.model takes "<s>" for three characters.)
  Written,
};

/// Text to token ids and back. Immutable after construction; any thread.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Tokens of `text` with their byte spans; invalid UTF-8 is an Error{BadInput} that
  /// names the byte. `Add` puts BOS and what else the tokenizer's own post-processing
  /// adds.
  virtual std::vector<Token> encode(std::string_view text,
                                    SpecialTokens specials) const = 0;

  /// The text of a sequence, as Hugging Face's decode(skip_special_tokens = Omit) gives
  /// it. Bytes that form no UTF-8 become U+FFFD, ids without a piece nothing.
  /// @throws Error{BadInput} for a negative id, here and below.
  virtual std::string decode(std::span<const TokenId> ids,
                             SpecialTokens specials) const = 0;

  /// The bytes one token adds in the middle of a text ("▁a" gives " a"); may be half a
  /// character. Special tokens give their name, ids without a piece nothing.
  virtual std::string surface(TokenId id) const = 0;

  /// As the vocabulary spells it; "<unused 50300>" for an id that has no piece: models
  /// often have more rows than their tokenizers pieces.
  virtual std::string piece(TokenId id) const = 0;
  virtual std::int64_t size() const = 0;  ///< one more than the largest id

  /// Opens what TokenizerFiles finds: tokenizer.json, tokenizer.model, vocab.json with
  /// merges.txt, or a file of ranks.
  /// @throws Error naming the file, or the unknown component and its type.
  static std::shared_ptr<const Tokenizer> open(const std::filesystem::path& folder);
  /// True when `open` would find a file to read.
  static bool present(const std::filesystem::path& folder);
  /// The file that `open` would read, of the several that there may be.
  static std::optional<std::filesystem::path> fileOf(const std::filesystem::path& folder);
};

}  // namespace equipatch
