// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/pipeline_tokenizer.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/text/token.h"

namespace equipatch {

const std::string* Pipeline::pieceOf(std::int64_t id) const {
  if (const AddedToken* token = added.find(id)) return &token->content;
  return model->vocabulary().piece(id);
}

namespace {

/// Adds a token and counts its piece against the limits.
void add(Token token, TextLimits& limits, std::vector<Token>& tokens) {
  limits.countPiece(token.piece.size());
  tokens.push_back(std::move(token));
}

void add(const AddedToken& token, ByteSpan span, TextLimits& limits,
         std::vector<Token>& tokens) {
  add({TokenId(token.id), token.content, span, token.special}, limits, tokens);
}

}  // namespace

std::vector<Token> PipelineTokenizer::encode(std::string_view text,
                                             SpecialTokens specials,
                                             std::stop_token stop) const {
  requireTokenizable(text);
  const bool adds = specials == SpecialTokens::Add;
  TextLimits limits = TextLimits::of(text.size(), std::move(stop));
  std::vector<Token> tokens;
  if (adds) addFrame(m_parts.frame.before, 0, limits, tokens);
  const std::size_t first = tokens.size();
  for (const AddedTokens::Part& part : m_parts.added.splitRaw(text, limits)) {
    limits.requireTime();
    const std::string_view bytes =
        text.substr(part.range.begin, part.range.end - part.range.begin);
    if (part.token)
      add(*part.token, part.range, limits, tokens);
    else
      encodePart(AlignedText(bytes, part.range.begin, limits), limits, tokens);
  }
  closeGaps(std::span(tokens).subspan(first), text.size());
  if (adds) addFrame(m_parts.frame.after, text.size(), limits, tokens);
  return tokens;
}

void PipelineTokenizer::addFrame(const std::vector<std::int64_t>& ids, std::size_t offset,
                                 TextLimits& limits, std::vector<Token>& tokens) const {
  for (const std::int64_t id : ids)
    add({TokenId(id), *m_parts.pieceOf(id), {offset, offset}, true}, limits, tokens);
}

void PipelineTokenizer::encodePart(const AlignedText& part, TextLimits& limits,
                                   std::vector<Token>& tokens) const {
  AlignedText normalized = m_parts.normalizer->normalize(part);
  const auto parts = m_parts.added.splitNormalized(normalized.text(), limits);
  if (parts.size() == 1 && !parts.front().token)
    return encodePlain(std::move(normalized), limits, tokens);
  for (const AddedTokens::Part& inner : parts) {
    limits.requireTime();
    if (!inner.token) {
      encodePlain(normalized.slice(inner.range), limits, tokens);
      continue;
    }
    const ByteSpan span{normalized.origin(inner.range.begin),
                        normalized.origin(inner.range.end)};
    add(*inner.token, span, limits, tokens);
  }
}

void PipelineTokenizer::encodePlain(AlignedText text, TextLimits& limits,
                                    std::vector<Token>& tokens) const {
  PreTokenizedText split(std::move(text));
  m_parts.preTokenizer->apply(split);
  limits.countBytes(split.text.text().size());
  const auto encoder = m_parts.model->makeEncoder(limits);
  const Vocabulary& vocabulary = m_parts.model->vocabulary();
  for (const ByteSpan& preToken : split.preTokens)
    for (const PieceToken& token : encoder->encode(split.bytes(preToken)))
      add({TokenId(token.id),
           *vocabulary.piece(token.id),
           {split.text.origin(preToken.begin + token.range.begin),
            split.text.origin(preToken.begin + token.range.end)},
           false},
          limits, tokens);
}

std::string PipelineTokenizer::decode(std::span<const TokenId> ids,
                                      SpecialTokens specials) const {
  std::vector<std::string> pieces;
  for (const TokenId id : ids) {
    requireId(id);
    const AddedToken* added = m_parts.added.find(id.value);
    if (added && added->special && specials == SpecialTokens::Omit) continue;
    if (const std::string* piece = m_parts.pieceOf(id.value)) pieces.push_back(*piece);
  }
  std::string text;
  for (const std::string& piece : m_parts.decoder->apply(std::move(pieces)))
    text += piece;
  return replaceInvalidUtf8(text);
}

std::string PipelineTokenizer::surface(TokenId id) const {
  requireId(id);
  const AddedToken* added = m_parts.added.find(id.value);
  if (added && added->special) return added->content;
  const std::string* piece = m_parts.pieceOf(id.value);
  return piece ? m_parts.decoder->surface(*piece) : std::string();
}

std::string PipelineTokenizer::piece(TokenId id) const {
  requireId(id);
  const std::string* piece = m_parts.pieceOf(id.value);
  return piece ? *piece : nameOfUnused(id);
}

std::int64_t PipelineTokenizer::size() const {
  return std::max(m_parts.model->vocabulary().size(), m_parts.added.size());
}

namespace {

/// The members of tokenizer.json's root object and their places for error messages.
class Document {
 public:
  Document(const Json& json, const std::string& source) : m_fields(json, source) {
    // As in transformers by default, a text is neither truncated nor padded.
    m_fields.ignore({"version", "truncation", "padding"});
  }

  const Json* member(const char* key) { return m_fields.member(key); }
  std::string place(const char* key) const { return m_fields.source() + ": " + key; }

  void requireAllRead() const {
    const auto unread = m_fields.unread();
    if (!unread.empty())
      throw unsupported(m_fields.source() + " has the component \"" + unread.front() +
                        "\", which this program does not support");
  }

 private:
  JsonObject m_fields;
};

std::int64_t idOfToken(const Pipeline& parts, const std::string& token,
                       const std::string& source) {
  if (const AddedToken* added = parts.added.find(token)) return added->id;
  if (const auto id = parts.model->vocabulary().find(token)) return *id;
  throw badInput(source + " has no token \"" + token +
                 "\", which tokenizer_config.json adds to every text");
}

}  // namespace

Pipeline readTokenizerJson(const Json& json, const TokenizerConfig& config,
                           const std::string& source, const Progress& progress) {
  Document document(json, source);
  const auto parsed = [&]<typename Part>(const char* key) {
    return Part::parse(document.member(key), document.place(key));
  };
  Pipeline parts;
  parts.normalizer = parsed.operator()<Normalizer>("normalizer");
  parts.preTokenizer = parsed.operator()<PreTokenizer>("pre_tokenizer");
  parts.decoder = parsed.operator()<Decoder>("decoder");
  parts.frame = parsed.operator()<TokenFrame>("post_processor");
  parts.model =
      PieceModel::parse(document.member("model"), document.place("model"), progress);
  parts.added =
      AddedTokens::parse(document.member("added_tokens"), parts.model->vocabulary(),
                         *parts.normalizer, document.place("added_tokens"), progress);
  document.requireAllRead();
  decideFrame(parts, config, source);
  return parts;
}

void decideFrame(Pipeline& parts, const TokenizerConfig& config,
                 const std::string& source) {
  if (!parts.frame.isDecided) {
    if (config.addBos.value_or(false) && config.bosToken)
      parts.frame.before = {idOfToken(parts, *config.bosToken, source)};
    if (config.addEos.value_or(false) && config.eosToken)
      parts.frame.after = {idOfToken(parts, *config.eosToken, source)};
  }
  for (const auto* side : {&parts.frame.before, &parts.frame.after})
    for (const std::int64_t id : *side)
      if (!parts.pieceOf(id))
        throw badInput(source + ": post_processor adds the id " + std::to_string(id) +
                       ", but no piece has this id");
}

TokenizerJson::TokenizerJson(std::string_view bytes, const TokenizerConfig& config,
                             const std::string& source, const Progress& progress)
    : PipelineTokenizer(
          readTokenizerJson(parseJson(bytes, source, RepeatedKeys::LastWins, progress),
                            config, source, progress)) {}

}  // namespace equipatch
