// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer_config.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/text/pipeline/tokenizer_class.h"

namespace equipatch {
namespace {

constexpr const char* kFileName = "tokenizer_config.json";
constexpr const char* kMapName = "special_tokens_map.json";
constexpr const char* kRoles[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                  "pad_token", "cls_token", "mask_token"};

std::optional<bool> flag(JsonObject& fields, const char* key) {
  if (!fields.has(key)) return std::nullopt;
  return fields.boolean(key, false);
}

std::string textOf(const Json& token, const std::string& place) {
  if (token.is_string()) return token.get<std::string>();
  return JsonObject(token, place).string("content");
}

/// For each role, the first file that has the role's key decides, even if its value is
/// null. Of the lists of additional tokens, the first that is not empty is taken.
class RoleReader {
 public:
  explicit RoleReader(SpecialTokenNames& names) : m_names(names) {}

  void take(const Json& json, const std::string& source) {
    JsonObject fields(json, source);
    for (const char* role : kRoles) {
      if (!json.contains(role) || !m_decided.insert(role).second) continue;
      if (const Json* token = fields.member(role))
        m_names.byRole[role] = textOf(*token, source + ", " + role);
    }
    if (const Json* list = fields.member("additional_special_tokens"))
      takeAdditional(*list, source + ", additional_special_tokens");
  }

  void takeDefaults(const TokenizerClass& defaults) {
    for (const auto& [role, token] : defaults.specialTokens)
      if (m_decided.insert(role).second) m_names.byRole[role] = token;
  }

 private:
  void takeAdditional(const Json& list, const std::string& place) {
    if (!list.is_array())
      throw badInput(place + " should be a list, found " + list.type_name());
    if (!m_names.additional.empty()) return;
    for (const Json& token : list) m_names.additional.push_back(textOf(token, place));
  }

  SpecialTokenNames& m_names;
  std::set<std::string> m_decided;
};

/// {"50256": {"content": …}, …}
Json fromDecoder(const Json& decoder, const std::string& place) {
  if (!decoder.is_object())
    throw badInput(place + " should be an object, found " + decoder.type_name());
  Json result = Json::array();
  for (const auto& [number, entry] : decoder.items()) {
    const bool isNumber = !number.empty() && number.size() < 10 &&
                          number.find_first_not_of("0123456789") == std::string::npos;
    if (!isNumber || !entry.is_object())
      throw badInput(place + " should map ids to tokens, found " + inQuotes(number));
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

}  // namespace

TokenizerConfigFile TokenizerConfigFile::read(const std::filesystem::path& folder) {
  const auto contentOf = [&](const char* name) {
    const std::filesystem::path path = folder / name;
    return isThere(path) ? readJsonFile(path) : Json::object();
  };
  return {folder, contentOf(kFileName), contentOf(kMapName)};
}

TokenizerConfigFile::TokenizerConfigFile(std::filesystem::path folder, Json content,
                                         Json tokensMap)
    : m_folder(std::move(folder)),
      m_content(std::move(content)),
      m_tokensMap(std::move(tokensMap)) {}

std::string TokenizerConfigFile::source() const {
  return (m_folder / kFileName).string();
}

TokenizerConfig TokenizerConfigFile::config() const {
  JsonObject fields(m_content, source());
  const SpecialTokenNames names = specialTokens();
  const auto tokenOf = [&](const char* role) -> std::optional<std::string> {
    const auto found = names.byRole.find(role);
    if (found == names.byRole.end()) return std::nullopt;
    return found->second;
  };
  return {.addBos = flag(fields, "add_bos_token"),
          .addEos = flag(fields, "add_eos_token"),
          .addPrefixSpace = flag(fields, "add_prefix_space"),
          .bosToken = tokenOf("bos_token"),
          .eosToken = tokenOf("eos_token")};
}

std::optional<std::string> TokenizerConfigFile::className() const {
  return JsonObject(m_content, source()).optionalString("tokenizer_class");
}

const TokenizerClass* TokenizerConfigFile::knownClass() const {
  const auto name = className();
  return name ? TokenizerClass::named(*name) : nullptr;
}

SpecialTokenNames TokenizerConfigFile::specialTokens() const {
  SpecialTokenNames names;
  RoleReader reader(names);
  reader.take(m_content, source());
  reader.take(m_tokensMap, (m_folder / kMapName).string());
  if (const TokenizerClass* known = knownClass()) reader.takeDefaults(*known);
  std::erase_if(names.byRole, [](const auto& entry) { return entry.second.empty(); });
  return names;
}

Json TokenizerConfigFile::addedTokens(const Vocabulary& vocabulary) const {
  const SpecialTokenNames names = specialTokens();
  std::set<std::string> special(names.additional.begin(), names.additional.end());
  for (const auto& [role, token] : names.byRole) special.insert(token);

  Json result = Json::array();
  JsonObject fields(m_content, source());
  const std::filesystem::path ids = m_folder / "added_tokens.json";
  if (const Json* decoder = fields.member("added_tokens_decoder"))
    result = fromDecoder(*decoder, source() + ", added_tokens_decoder");
  else if (isThere(ids))
    result = fromIds(readJsonFile(ids), special, ids.string());

  for (Json& token : result)
    if (token.contains("content") && token["content"].is_string() &&
        special.erase(token["content"].get<std::string>()) > 0)
      token["special"] = true;
  for (const std::string& token : special)  // not in `result` yet
    if (const auto id = vocabulary.find(token))
      result.push_back({{"content", token}, {"id", *id}, {"special", true}});
  return result;
}

}  // namespace equipatch
