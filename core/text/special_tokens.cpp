#include "core/text/special_tokens.h"

#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/text/pipeline/tokenizer_class.h"

namespace equipatch {
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

}  // namespace equipatch
