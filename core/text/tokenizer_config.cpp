#include "core/text/tokenizer_config.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/text/pipeline/tokenizer_class.h"

namespace equipatch {

namespace {

constexpr const char* kFileName = "tokenizer_config.json";

std::optional<bool> flag(JsonObject& fields, const char* key) {
  if (!fields.has(key)) return std::nullopt;
  return fields.boolean(key, false);
}

/// A token is written as its text or as an object with "content".
std::optional<std::string> tokenText(JsonObject& fields, const char* key) {
  const Json* token = fields.member(key);
  if (!token || !token->is_object()) return fields.optionalString(key);
  return JsonObject(*token, fields.source() + ", " + key).string("content");
}

}  // namespace

TokenizerConfig TokenizerConfig::parse(const Json& json, const std::string& source) {
  JsonObject fields(json, source);
  return {.addBos = flag(fields, "add_bos_token"),
          .addEos = flag(fields, "add_eos_token"),
          .addPrefixSpace = flag(fields, "add_prefix_space"),
          .bosToken = tokenText(fields, "bos_token"),
          .eosToken = tokenText(fields, "eos_token")};
}

TokenizerConfig TokenizerConfig::read(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kFileName;
  if (!isThere(path)) return {};
  return parse(readJsonFile(path), path.string());
}

namespace {

constexpr const char* kRoles[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                  "pad_token", "cls_token", "mask_token"};

/// A token is written as its text or as an object with "content".
std::string textOf(const Json& token, const std::string& place) {
  if (token.is_string()) return token.get<std::string>();
  return JsonObject(token, place).string("content");
}

/// Takes from one file what no file before it has said.
class Reader {
 public:
  explicit Reader(SpecialTokenNames& names) : m_names(names) {}

  void take(const std::filesystem::path& path) {
    if (!isThere(path)) return;
    const Json json = readJsonFile(path);
    JsonObject fields(json, path.string());
    for (const char* role : kRoles) {
      if (!json.contains(role) || !m_answered.insert(role).second) continue;
      if (const Json* token = fields.member(role))
        m_names.byRole[role] = textOf(*token, path.string() + ", " + role);
    }
    if (const Json* list = fields.member("additional_special_tokens"))
      takeAdditional(*list, path.string() + ", additional_special_tokens");
  }

  void takeDefaults(const TokenizerClass& defaults) {
    for (const auto& [role, token] : defaults.specialTokens)
      if (m_answered.insert(role).second) m_names.byRole[role] = token;
  }

 private:
  void takeAdditional(const Json& list, const std::string& place) {
    if (!list.is_array() || !m_names.additional.empty()) return;
    for (const Json& token : list) m_names.additional.push_back(textOf(token, place));
  }

  SpecialTokenNames& m_names;
  std::set<std::string> m_answered;
};

}  // namespace

SpecialTokenNames SpecialTokenNames::read(const std::filesystem::path& folder) {
  SpecialTokenNames names;
  Reader reader(names);
  reader.take(folder / "tokenizer_config.json");
  reader.take(folder / "special_tokens_map.json");
  if (const TokenizerClass* known = TokenizerClass::of(folder))
    reader.takeDefaults(*known);
  std::erase_if(names.byRole, [](const auto& entry) { return entry.second.empty(); });
  return names;
}

namespace {

/// {"50256": {"content": …}, …}
Json fromDecoder(const Json& decoder, const std::string& place) {
  if (!decoder.is_object())
    throw badInput(place + " should be an object, found " + decoder.type_name());
  Json result = Json::array();
  for (const auto& [number, entry] : decoder.items()) {
    const bool isNumber = !number.empty() && number.size() < 10 &&
                          number.find_first_not_of("0123456789") == std::string::npos;
    if (!isNumber || !entry.is_object())
      throw badInput(place + " should give ids their tokens, found " + inQuotes(number));
    Json token = entry;
    token.erase("__type");
    token["id"] = std::stol(number);
    result.push_back(std::move(token));
  }
  return result;
}

/// {"<|endoftext|>": 50256, …}
Json fromIds(const Json& ids, const std::set<std::string>& special,
             const std::string& place) {
  if (!ids.is_object())
    throw badInput(place + " should be an object, found " + ids.type_name());
  Json result = Json::array();
  for (const auto& [content, id] : ids.items())
    result.push_back(
        {{"content", content}, {"id", id}, {"special", special.contains(content)}});
  return result;
}

std::set<std::string> specialsOf(const std::filesystem::path& folder) {
  const SpecialTokenNames names = SpecialTokenNames::read(folder);
  std::set<std::string> result(names.additional.begin(), names.additional.end());
  for (const auto& [role, token] : names.byRole) result.insert(token);
  return result;
}

Json listed(const std::filesystem::path& folder, const std::set<std::string>& special) {
  const std::filesystem::path config = folder / "tokenizer_config.json";
  if (isThere(config)) {
    const Json json = readJsonFile(config);
    JsonObject fields(json, config.string());
    if (const Json* decoder = fields.member("added_tokens_decoder"))
      return fromDecoder(*decoder, config.string() + ": added_tokens_decoder");
  }
  const std::filesystem::path ids = folder / "added_tokens.json";
  if (!isThere(ids)) return Json::array();
  return fromIds(readJsonFile(ids), special, ids.string());
}

}  // namespace

Json readAddedTokensFiles(const std::filesystem::path& folder, const Vocabulary& model) {
  std::set<std::string> missing = specialsOf(folder);
  Json result = listed(folder, missing);
  for (const Json& token : result)
    if (token.contains("content") && token["content"].is_string())
      missing.erase(token["content"].get<std::string>());
  for (const std::string& token : missing)
    if (const auto id = model.find(token))
      result.push_back({{"content", token}, {"id", *id}, {"special", true}});
  return result;
}

}  // namespace equipatch
