// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace equipatch {

/// The role is "user", "assistant" or "system"; some templates reject "system".
struct ChatMessage {
  std::string role;
  std::string content;
  std::int64_t images = 0;  ///< before the text; each becomes a placeholder
};

/// A tokenizer's Jinja template for conversations. Immutable; any thread.
class ChatTemplate {
 public:
  /// Looks for a template in chat_template.jinja, then under "chat_template" in
  /// tokenizer_config.json, then in chat_template.json. Of a list of templates, takes the
  /// one named "default". Empty when the folder has no template. The template reads the
  /// special tokens of `TokenizerConfigFile`.
  /// @throws Error{BadInput} naming a file that cannot be read or has no "default".
  static std::optional<ChatTemplate> find(const std::filesystem::path& folder);
  /// As `find`, but throws Error{BadInput} when the folder has no template.
  static ChatTemplate open(const std::filesystem::path& folder);

  /// The conversation as text, up to the beginning of the assistant's answer. The text
  /// contains all special tokens: tokenize it with SpecialTokens::Written. Some templates
  /// write the current date.
  /// @throws Error{BadInput} with the template's message when the template rejects the
  /// conversation, when rendering exceeds a limit of time, memory or size, and for a
  /// message that is not UTF-8; Error{Resource} naming the package to install when there
  /// is no Jinja2; Error{Cancelled} after `stop`.
  std::string render(const std::vector<ChatMessage>& messages,
                     std::stop_token stop = {}) const;

  const std::string& source() const { return m_source; }  ///< the file, for errors
  const std::string& text() const { return m_text; }

 private:
  ChatTemplate() = default;

  std::string m_source;
  std::string m_text;
  std::map<std::string, std::string> m_specialTokens;  ///< "bos_token" and so on
  std::vector<std::string> m_moreSpecialTokens;        ///< "additional_special_tokens"
};

}  // namespace equipatch
