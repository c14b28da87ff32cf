// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/ui/support/synthetic_engine.h"

/// Loaded models with a tokenizer but without weights.
namespace equipatch::test {

inline std::shared_ptr<const LoadedModel> loadedOfWords() {
  auto model = std::make_shared<LoadedModel>();
  model->tokenizer = std::make_shared<WordTokenizer>();
  return model;
}

/// A tokenizer with other boundaries than WordTokenizer: each byte is a token.
class ByteTokenizer final : public Tokenizer {
 public:
  std::vector<Token> encode(std::string_view text, SpecialTokens,
                            std::stop_token) const override {
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < text.size(); ++i)
      tokens.push_back({TokenId(text[i]), std::string(text.substr(i, 1)), {i, i + 1}});
    return tokens;
  }
  /// 'B', 'I' and 'E' are special, as in `loadedOfBytesAndImages`.
  std::string decode(std::span<const TokenId> ids, SpecialTokens) const override {
    std::string text;
    for (const TokenId id : ids)
      if (piece(id).find_first_of("BIE") != 0) text += piece(id);
    return text;
  }
  std::string surface(TokenId id) const override { return piece(id); }
  std::string piece(TokenId id) const override { return std::string(1, char(id.value)); }
  std::int64_t size() const override { return 256; }
};

inline std::shared_ptr<const LoadedModel> loadedOfBytes() {
  auto model = std::make_shared<LoadedModel>();
  model->tokenizer = std::make_shared<ByteTokenizer>();
  return model;
}

inline std::shared_ptr<const LoadedModel> loadedOfBytesAndImages() {
  auto model = std::make_shared<LoadedModel>(*loadedOfBytes());
  model->spec.vision.emplace();
  model->spec.vision->tokens = 2;
  model->spec.vision->beginToken = TokenId('B');
  model->spec.vision->imageToken = TokenId('I');
  model->spec.vision->endToken = TokenId('E');
  return model;
}

}  // namespace equipatch::test
