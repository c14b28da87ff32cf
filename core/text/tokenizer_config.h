// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/text/pipeline/piece_model.h"

namespace equipatch {

struct TokenizerClass;

/// Settings of what the tokenizer adds to a text: BOS, EOS, a space at the beginning.
struct TokenizerConfig {
  // Empty: tokenizer_config.json lacks the key or says null.
  std::optional<bool> addBos;
  std::optional<bool> addEos;
  std::optional<bool> addPrefixSpace;
  // From TokenizerConfigFile::specialTokens. Empty: there is no such token.
  std::optional<std::string> bosToken;
  std::optional<std::string> eosToken;
};

struct SpecialTokenNames {
  /// "bos_token": "<s>", and so on; roles that have no token are absent.
  std::map<std::string, std::string> byRole;
  std::vector<std::string> additional;  ///< "additional_special_tokens"
};

/// A folder's tokenizer_config.json and special_tokens_map.json. A function that reads a
/// malformed key, or a file that is not a JSON object, throws Error{BadInput} naming file
/// and key; `read` does not.
class TokenizerConfigFile {
 public:
  /// A missing file counts as one without keys. @throws Error{BadInput} for a file that
  /// is not JSON.
  static TokenizerConfigFile read(const std::filesystem::path& folder);
  /// @param content of tokenizer_config.json
  /// @param tokensMap content of special_tokens_map.json
  TokenizerConfigFile(std::filesystem::path folder, Json content,
                      Json tokensMap = Json::object());

  TokenizerConfig config() const;
  /// "tokenizer_class"
  std::optional<std::string> className() const;
  /// nullptr if tokenizer_config.json names no class or an unknown class.
  const TokenizerClass* knownClass() const;

  /// Each role's token is from tokenizer_config.json, else from special_tokens_map.json,
  /// else the default of the tokenizer's class. An explicit null means: no token.
  SpecialTokenNames specialTokens() const;

  /// Builds the array "added_tokens" of tokenizer.json for a folder without that file:
  /// the entries of "added_tokens_decoder", or else of added_tokens.json, and the tokens
  /// of `specialTokens` that only `vocabulary` has. All tokens of `specialTokens` are
  /// marked as special.
  Json addedTokens(const Vocabulary& vocabulary) const;

  const Json& content() const { return m_content; }  ///< of tokenizer_config.json
  std::string source() const;  ///< the path of tokenizer_config.json
  const std::filesystem::path& folder() const { return m_folder; }

 private:
  std::filesystem::path m_folder;
  Json m_content, m_tokensMap;
};

}  // namespace equipatch
