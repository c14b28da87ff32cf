// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenizers of every format, and the chat templates beside them.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/strings.h"
#include "core/text/chat/chat_template.h"
#include "core/text/pipeline/oniguruma.h"
#include "core/text/pipeline/piece_files.h"
#include "core/text/pipeline/piece_model.h"
#include "core/text/pipeline/pipeline_tokenizer.h"
#include "core/text/pipeline/regex.h"
#include "core/text/sentencepiece/sentencepiece_tokenizer.h"
#include "core/text/text_limits.h"
#include "core/text/tokenizer.h"
#include "core/text/tokenizer_config.h"
#include "core/text/visible_text.h"
#include "tests/fuzz/harness.h"

namespace equipatch::fuzz {
namespace {

constexpr std::size_t kLongestText = 200;
constexpr std::int64_t kPiecesInText = 24;

/// Requires that the tokens' spans partition the text, unless all spans are empty.
void requirePartition(const std::vector<Token>& tokens, std::string_view text) {
  std::size_t reached = 0;
  for (const Token& token : tokens) {
    if (token.span.empty()) continue;
    require(token.span.begin == reached && token.span.end <= text.size(),
            "spans of tokens follow each other");
    reached = token.span.end;
  }
  require(reached == 0 || reached == text.size(), "tokens cover the text");
}

/// Encodes a text and decodes it, as the preview, a run and `tokenize` do.
void exerciseText(const Tokenizer& tokenizer, const std::string& text) {
  for (const SpecialTokens specials :
       {SpecialTokens::Add, SpecialTokens::Omit, SpecialTokens::Written})
    attempt([&] {
      const std::vector<Token> tokens = tokenizer.encode(text, specials);
      requirePartition(tokens, text);
      std::vector<TokenId> ids;
      for (const Token& token : tokens) {
        require(token.id.value >= 0 && token.id.value < tokenizer.size(),
                "a token's id is one of the tokenizer");
        require(firstInvalidUtf8(visibleText(token, text)) == std::string_view::npos,
                "a token can be shown");
        ids.push_back(token.id);
      }
      const std::string decoded = tokenizer.decode(ids, specials);
      require(firstInvalidUtf8(decoded) == std::string_view::npos,
              "a decoded text is UTF-8");
    });
}

void exercise(const Tokenizer& tokenizer) {
  std::string pieces;
  std::vector<TokenId> ids;
  for (std::int64_t id = 0; id < std::min(tokenizer.size() + 1, kPiecesInText); ++id) {
    ids.emplace_back(id);
    if (pieces.size() < kLongestText) pieces += tokenizer.piece(TokenId(id));
    attempt([&] { tokenizer.surface(TokenId(id)); });
  }
  attempt([&] { tokenizer.decode(ids, SpecialTokens::Add); });
  attempt([&] { tokenizer.surface(TokenId(INT64_MAX)); });
  for (const std::string& text :
       {std::string(), std::string(" Hello  <s>wörld</s> 123\r\n\tab"),
        std::string("ﷺ\u0301\u200D🤗e\u0301▁.\u00A0"),
        replaceInvalidUtf8(pieces.substr(0, kLongestText))})
    exerciseText(tokenizer, text);
}

}  // namespace

void readTokenizerJson(std::string_view input) {
  attempt([&] { exercise(TokenizerJson(input, {}, "tokenizer.json")); });
}

void readSentencePiece(std::string_view input) {
  attempt([&] {
    TokenizerConfig config;
    config.addEos = true;
    exercise(SentencePieceTokenizer(input, config, "tokenizer.model"));
  });
}

void readRankFile(std::string_view input) {
  looksLikeRanks(input);
  attempt([&] {
    const auto model = PieceModel::of(
        bpeOfRanks(readRanks(input, "tokenizer.model"), "tokenizer.model"));
    const auto encoder = model->makeEncoder(TextLimits::of(100));
    for (const char* piece : {"ĠHello", "aaaaaaaaaaaaaaaa", "Ã¶", "\n"})
      for (const PieceToken& token : encoder->encode(piece))
        require(token.range.begin <= token.range.end, "a range is in order");
  });
}

void readTokenizerFolder(std::string_view input) {
  attempt([&] {
    const auto folder = scratchFolderOf(input);
    attempt([&] { exercise(*Tokenizer::open(folder)); });
    attempt([&] {
      const auto file = TokenizerConfigFile::read(folder);
      attempt([&] { file.config(); });
      attempt([&] { file.specialTokens(); });
      attempt([&] { file.addedTokens({}); });
    });
  });
}

void readRegex(std::string_view input) {
  if (firstInvalidUtf8(input) != std::string_view::npos) return;
  const std::size_t cut = std::min(input.find('\n'), input.size());
  const std::string_view text = input.substr(std::min(cut + 1, input.size()));
  attempt([&] {
    const Regex regex{std::string(input.substr(0, cut))};
    std::size_t reached = 0;
    for (const ByteSpan& match : regex.matches(text)) {
      require(
          match.begin >= reached && match.begin <= match.end && match.end <= text.size(),
          "matches follow each other within the text");
      reached = match.end;
    }
    Pattern::regex(regex.pattern())->replace(AlignedText(text), "<>");
  });
}

void readChatTemplate(std::string_view input) {
  attempt([&] {
    const auto folder = scratchFolderOf(input);
    const auto found = ChatTemplate::find(folder);
    if (found) requireSentence(found->source());
  });
}

/// A conversation, in messages.json beside the template. Each rendering starts Python.
void readChat(std::string_view input) {
  attempt([&] {
    const auto folder = scratchFolderOf(input);
    std::vector<ChatMessage> messages;
    for (const Json& message : readJsonFile(folder / "messages.json")) {
      JsonObject fields(message, "messages.json");
      messages.push_back({fields.string("role"), fields.string("content")});
    }
    const std::string text = ChatTemplate::open(folder).render(messages);
    require(firstInvalidUtf8(text) == std::string_view::npos,
            "a rendered conversation is UTF-8");
  });
}

}  // namespace equipatch::fuzz
