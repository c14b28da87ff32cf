#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace equipatch {

/// One turn of a conversation. Roles are what templates know: "system", "user",
/// "assistant".
struct ChatMessage {
  std::string role;
  std::string content;
};

/// How a model wants a conversation written down: the Jinja template that comes with its
/// tokenizer. Immutable; any thread.
class ChatTemplate {
 public:
  /// From chat_template.jinja, else tokenizer_config.json's "chat_template" (of several
  /// the one named "default"), else chat_template.json; nothing where the folder has
  /// none.
  /// @throws Error{BadInput} naming a file that cannot be read or has no default.
  static std::optional<ChatTemplate> find(const std::filesystem::path& folder);
  /// The same. @throws Error{BadInput} also where the folder has none.
  static ChatTemplate open(const std::filesystem::path& folder);

  /// The text of the conversation up to where the assistant's answer begins. It holds all
  /// special tokens: tokenize it without adding any. Some templates write the date.
  ///
  /// Runs Jinja2 in a process of its own, with little time and memory: templates come
  /// from strangers. @throws Error with the template's own sentence when it refuses the
  /// conversation, or naming the package to install when there is no Jinja2;
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
