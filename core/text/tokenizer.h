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

enum class SpecialTokens { Add, Omit };

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
  /// it. Bytes that form no UTF-8 become U+FFFD. @throws Error{BadInput} for an id out of
  /// range.
  virtual std::string decode(std::span<const TokenId> ids,
                             SpecialTokens specials) const = 0;

  /// The bytes one token adds in the middle of a text ("▁a" gives " a"); may be half a
  /// character. Special tokens give their name.
  virtual std::string surface(TokenId id) const = 0;

  /// As the vocabulary spells it.
  virtual std::string piece(TokenId id) const = 0;
  virtual std::int64_t size() const = 0;  ///< one more than the largest id

  /// Opens tokenizer.json, or tokenizer.model where there is none.
  /// @throws Error naming the file, or the unknown component and its type.
  static std::shared_ptr<const Tokenizer> open(const std::filesystem::path& folder);
  /// True when `open` would find a file to read.
  static bool present(const std::filesystem::path& folder);
};

}  // namespace equipatch
