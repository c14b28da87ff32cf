#include "core/text/tokenizer_json.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/text/bpe_encoder.h"
#include "core/text/encoding.h"

namespace equipatch {
namespace {

/// The members of tokenizer.json's outermost object, and where each was found.
class Document {
 public:
  Document(const Json& json, const std::string& source) : m_fields(json, source) {
    // Cutting and filling batches of texts is not part of what a text's tokens are.
    m_fields.ignore({"version", "truncation", "padding"});
  }

  const Json* member(const char* key) { return m_fields.member(key); }
  std::string place(const char* key) const { return m_fields.source() + ": " + key; }

  void requireAllRead() const {
    const auto unread = m_fields.unread();
    if (!unread.empty())
      throw unsupported(m_fields.source() + " has the component \"" + unread.front() +
                        "\", which is not known");
  }

 private:
  JsonObject m_fields;
};

}  // namespace

TokenizerJson::TokenizerJson(std::string_view bytes, const TokenizerConfig& config,
                             const std::string& source) {
  read(parseJson(bytes, source), source);
  decideFrame(config, source);
}

void TokenizerJson::read(const Json& json, const std::string& source) {
  Document document(json, source);
  const auto parsed = [&]<typename Part>(const char* key) {
    return Part::parse(document.member(key), document.place(key));
  };
  m_normalizer = parsed.operator()<Normalizer>("normalizer");
  m_preTokenizer = parsed.operator()<PreTokenizer>("pre_tokenizer");
  m_decoder = parsed.operator()<Decoder>("decoder");
  m_frame = parsed.operator()<TokenFrame>("post_processor");
  m_model = parsed.operator()<Bpe>("model");
  m_added = AddedTokens::parse(document.member("added_tokens"), m_model.vocabulary,
                               *m_normalizer, document.place("added_tokens"));
  document.requireAllRead();
}

void TokenizerJson::decideFrame(const TokenizerConfig& config,
                                const std::string& source) {
  if (!m_frame.isDecided) {
    if (config.addBos.value_or(false) && config.bosToken)
      m_frame.before = {idOf(*config.bosToken, source)};
    if (config.addEos.value_or(false) && config.eosToken)
      m_frame.after = {idOf(*config.eosToken, source)};
  }
  for (const auto* side : {&m_frame.before, &m_frame.after})
    for (const std::int64_t id : *side)
      if (!pieceOf(id))
        throw badInput(source + ": post_processor adds the id " + std::to_string(id) +
                       ", which no piece has");
}

std::int64_t TokenizerJson::idOf(const std::string& token,
                                 const std::string& source) const {
  if (const AddedToken* added = m_added.find(token)) return added->id;
  if (const auto id = m_model.vocabulary.find(token)) return *id;
  throw badInput(source + " has no token \"" + token +
                 "\", which tokenizer_config.json puts around every text");
}

std::vector<Token> TokenizerJson::encode(std::string_view text,
                                         SpecialTokens specials) const {
  requireTokenizable(text);
  const bool adds = specials == SpecialTokens::Add;
  std::vector<Token> tokens;
  if (adds) addFrame(m_frame.before, 0, tokens);
  const std::size_t first = tokens.size();
  for (const AddedTokens::Part& part : m_added.splitRaw(text)) {
    const std::string_view bytes =
        text.substr(part.range.begin, part.range.end - part.range.begin);
    if (part.token)
      tokens.push_back({TokenId(part.token->id), part.token->content, part.range,
                        part.token->special});
    else
      encodePart(AlignedText(bytes, part.range.begin), tokens);
  }
  closeGaps(std::span(tokens).subspan(first), text.size());
  if (adds) addFrame(m_frame.after, text.size(), tokens);
  return tokens;
}

void TokenizerJson::addFrame(const std::vector<std::int64_t>& ids, std::size_t offset,
                             std::vector<Token>& tokens) const {
  for (const std::int64_t id : ids)
    tokens.push_back({TokenId(id), *pieceOf(id), {offset, offset}, true});
}

void TokenizerJson::encodePart(const AlignedText& part,
                               std::vector<Token>& tokens) const {
  AlignedText normalized = m_normalizer->normalize(part);
  const auto parts = m_added.splitNormalized(normalized.text());
  if (parts.size() == 1 && !parts.front().token)
    return encodePlain(std::move(normalized), tokens);
  for (const AddedTokens::Part& inner : parts) {
    if (!inner.token) {
      encodePlain(normalized.slice(inner.range), tokens);
      continue;
    }
    const ByteSpan span{normalized.origin(inner.range.begin),
                        normalized.origin(inner.range.end)};
    tokens.push_back(
        {TokenId(inner.token->id), inner.token->content, span, inner.token->special});
  }
}

void TokenizerJson::encodePlain(AlignedText text, std::vector<Token>& tokens) const {
  CutText cut(std::move(text));
  m_preTokenizer->apply(cut);
  BpeEncoder encoder(m_model);
  for (const ByteSpan& piece : cut.pieces)
    for (const PieceToken& token : encoder.encode(cut.piece(piece)))
      tokens.push_back({TokenId(token.id),
                        *m_model.vocabulary.piece(token.id),
                        {cut.text.origin(piece.begin + token.range.begin),
                         cut.text.origin(piece.begin + token.range.end)},
                        false});
}

std::string TokenizerJson::decode(std::span<const TokenId> ids,
                                  SpecialTokens specials) const {
  std::vector<std::string> pieces;
  for (const TokenId id : ids) {
    requireId(id, size());
    const AddedToken* added = m_added.find(id.value);
    if (added && added->special && specials == SpecialTokens::Omit) continue;
    if (const std::string* piece = pieceOf(id.value)) pieces.push_back(*piece);
  }
  std::string text;
  for (const std::string& piece : m_decoder->apply(std::move(pieces))) text += piece;
  return replaceInvalidUtf8(text);
}

std::string TokenizerJson::surface(TokenId id) const {
  const AddedToken* added = m_added.find(id.value);
  if (added && added->special) return added->content;
  return m_decoder->surface(piece(id));
}

std::string TokenizerJson::piece(TokenId id) const {
  requireId(id, size());
  const std::string* piece = pieceOf(id.value);
  return piece ? *piece : std::string();
}

std::int64_t TokenizerJson::size() const {
  return std::max(m_model.vocabulary.size(), m_added.size());
}

const std::string* TokenizerJson::pieceOf(std::int64_t id) const {
  if (const AddedToken* added = m_added.find(id)) return &added->content;
  return m_model.vocabulary.piece(id);
}

}  // namespace equipatch
