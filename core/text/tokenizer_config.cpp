#include "core/text/tokenizer_config.h"

#include <nlohmann/json.hpp>

#include "core/base/paths.h"

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

}  // namespace equipatch
