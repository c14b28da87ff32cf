#include "core/text/tokenizer_json.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"

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

std::int64_t idOfToken(const Pipeline& parts, const std::string& token,
                       const std::string& source) {
  if (const AddedToken* added = parts.added.find(token)) return added->id;
  if (const auto id = parts.model->vocabulary().find(token)) return *id;
  throw badInput(source + " has no token \"" + token +
                 "\", which tokenizer_config.json puts around every text");
}

}  // namespace

Pipeline readTokenizerJson(const Json& json, const TokenizerConfig& config,
                           const std::string& source) {
  Document document(json, source);
  const auto parsed = [&]<typename Part>(const char* key) {
    return Part::parse(document.member(key), document.place(key));
  };
  Pipeline parts;
  parts.normalizer = parsed.operator()<Normalizer>("normalizer");
  parts.preTokenizer = parsed.operator()<PreTokenizer>("pre_tokenizer");
  parts.decoder = parsed.operator()<Decoder>("decoder");
  parts.frame = parsed.operator()<TokenFrame>("post_processor");
  parts.model = parsed.operator()<PieceModel>("model");
  parts.added =
      AddedTokens::parse(document.member("added_tokens"), parts.model->vocabulary(),
                         *parts.normalizer, document.place("added_tokens"));
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
                       ", which no piece has");
}

TokenizerJson::TokenizerJson(std::string_view bytes, const TokenizerConfig& config,
                             const std::string& source)
    : PipelineTokenizer(readTokenizerJson(parseJson(bytes, source), config, source)) {}

}  // namespace equipatch
