// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/chat/chat_template.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/text/chat/jinja.h"
#include "core/text/tokenizer_config.h"

namespace equipatch {

namespace {

constexpr std::size_t kLargestTemplate = std::size_t{1} << 20;

std::string checked(std::string_view text, const std::string& source) {
  if (text.size() > kLargestTemplate)
    throw badInput(source + " has " + std::to_string(text.size()) +
                   " bytes of chat template, expected at most " +
                   std::to_string(kLargestTemplate));
  const std::size_t invalid = firstInvalidUtf8(text);
  if (invalid != std::string::npos)
    throw badInput(source + " is not valid UTF-8 at byte " + std::to_string(invalid));
  return std::string(text);
}

std::string textOf(const std::filesystem::path& path) {
  return checked(readFile(path, kMostJsonBytes), path.string());
}

/// The template named "default" of a list of {"name", "template"}.
std::string defaultOf(const Json& list, const std::string& source) {
  constexpr std::size_t kMostNamed = 400;  // bytes of names in the error
  std::string names;
  for (const Json& entry : list) {
    JsonObject fields(entry, source + ", chat_template");
    const std::string name = fields.string("name");
    if (name == "default") return fields.string("template");
    if (names.size() < kMostNamed)
      names += (names.empty() ? "" : ", ") + inQuotes(name);
    else if (!names.ends_with("…"))
      names += ", …";
  }
  throw badInput(source + " has no chat template named \"default\", found " +
                 (names.empty() ? "an empty list" : names));
}

/// The member "chat_template" of a JSON file, or nothing.
std::optional<std::string> memberOf(const Json& json, const std::string& source) {
  JsonObject fields(json, source);
  const Json* member = fields.member("chat_template");
  if (!member) return std::nullopt;
  return checked(
      member->is_array() ? defaultOf(*member, source) : fields.string("chat_template"),
      source);
}

/// The content in transformers' form: a text, or a list of parts if there are images.
nlohmann::ordered_json contentOf(const ChatMessage& message) {
  if (message.images == 0) return message.content;
  auto parts = nlohmann::ordered_json::array();
  for (std::int64_t image = 0; image < message.images; ++image)
    parts.push_back({{"type", "image"}});
  parts.push_back({{"type", "text"}, {"text", message.content}});
  return parts;
}

}  // namespace

std::optional<ChatTemplate> ChatTemplate::find(const std::filesystem::path& folder) {
  ChatTemplate result;
  const std::filesystem::path alone = folder / "chat_template.jinja";
  if (isThere(alone)) {
    result.m_text = textOf(alone);
    result.m_source = alone.string();
  }
  const auto take = [&](const Json& json, const std::string& source) {
    auto text = result.m_source.empty() ? memberOf(json, source) : std::nullopt;
    if (!text) return;
    result.m_text = *std::move(text);
    result.m_source = source;
  };
  const TokenizerConfigFile config = TokenizerConfigFile::read(folder);
  take(config.content(), config.source());
  const std::filesystem::path separate = folder / "chat_template.json";
  if (result.m_source.empty() && isThere(separate))
    take(readJsonFile(separate), separate.string());
  if (result.m_source.empty()) return std::nullopt;
  SpecialTokenNames names = config.specialTokens();
  result.m_specialTokens = std::move(names.byRole);
  result.m_moreSpecialTokens = std::move(names.additional);
  return result;
}

ChatTemplate ChatTemplate::open(const std::filesystem::path& folder) {
  auto found = find(folder);
  if (!found)
    throw badInput(
        folder.string() +
        " has no chat template: expected chat_template.jinja, or "
        "\"chat_template\" in tokenizer_config.json or chat_template.json; "
        "the model may not be trained for conversations, so give the prompt as it is");
  return *std::move(found);
}

std::string ChatTemplate::render(const std::vector<ChatMessage>& messages,
                                 std::stop_token stop) const {
  nlohmann::ordered_json variables{{"messages", nlohmann::ordered_json::array()},
                                   {"tools", nullptr},
                                   {"documents", nullptr},
                                   {"add_generation_prompt", true}};
  for (const ChatMessage& message : messages) {
    const std::size_t invalid = firstInvalidUtf8(message.content);
    if (invalid != std::string::npos)
      throw badInput("the text is not valid UTF-8 at byte " + std::to_string(invalid) +
                     "; convert it to UTF-8 first");
    variables["messages"].push_back(
        {{"role", message.role}, {"content", contentOf(message)}});
  }
  for (const auto& [role, token] : m_specialTokens) variables[role] = token;
  if (!m_moreSpecialTokens.empty())
    variables["additional_special_tokens"] = m_moreSpecialTokens;
  return renderJinja({.source = m_source,
                      .text = m_text,
                      .variables = variables,
                      .pythons = pythonsOfThisMachine()},
                     std::move(stop));
}

}  // namespace equipatch
