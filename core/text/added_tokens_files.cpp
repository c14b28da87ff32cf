#include "core/text/added_tokens_files.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/text/special_tokens.h"

namespace equipatch {
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
