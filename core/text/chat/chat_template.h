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

/// A message of a conversation. Roles are "user", "assistant" and "system"; some
/// templates reject "system".
struct ChatMessage {
  std::string role;
  std::string content;
  std::int64_t images = 0;  ///< before the text; each becomes a placeholder
};

/// The Jinja template that comes with a tokenizer and renders conversations. Immutable;
/// any thread.
class ChatTemplate {
 public:
  /// Reads chat_template.jinja, else "chat_template" in tokenizer_config.json (if it is a
  /// list, the entry named "default"), else in chat_template.json. Empty when the folder
  /// has no template. The special tokens are always read from tokenizer_config.json and
  /// special_tokens_map.json.
  /// @throws Error{BadInput} naming a file that cannot be read or has no "default".
  static std::optional<ChatTemplate> find(const std::filesystem::path& folder);
  /// The same, but @throws Error{BadInput} also when the folder has none.
  static ChatTemplate open(const std::filesystem::path& folder);

  /// The text of the conversation up to the beginning of the assistant's answer. It
  /// contains all special tokens: tokenize it with SpecialTokens::Written. Some templates
  /// write the date.
  ///
  /// Templates are untrusted, so Jinja2 runs in a separate process with limited time and
  /// memory. @throws Error{BadInput} with the template's message when it rejects the
  /// conversation, when it exceeds a limit, and for text that is not UTF-8;
  /// Error{Resource} naming the package to install when there is no Jinja2;
  /// Error{Cancelled} after `stop`.
  std::string render(const std::vector<ChatMessage>& messages,
                     std::stop_token stop = {}) const;

  const std::string& source() const { return m_source; }  ///< the file, for errors
  const std::string& text() const { return m_text; }      ///< the template itself

 private:
  ChatTemplate() = default;

  std::string m_source;
  std::string m_text;
  std::map<std::string, std::string> m_specialTokens;  ///< "bos_token" and so on
  std::vector<std::string> m_moreSpecialTokens;        ///< "additional_special_tokens"
};

}  // namespace equipatch
