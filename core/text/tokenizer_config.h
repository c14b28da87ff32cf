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

/// The settings that decide what is added to a text: BOS, EOS, a space at its beginning.
struct TokenizerConfig {
  // Empty: tokenizer_config.json lacks the key or says null.
  std::optional<bool> addBos;
  std::optional<bool> addEos;
  std::optional<bool> addPrefixSpace;
  // As TokenizerConfigFile::specialTokens. Empty: there is no such token.
  std::optional<std::string> bosToken;
  std::optional<std::string> eosToken;
};

/// The special tokens by role, from the sources that TokenizerConfigFile::specialTokens
/// lists.
struct SpecialTokenNames {
  /// "bos_token": "<s>", and so on, without roles that have no token.
  std::map<std::string, std::string> byRole;
  std::vector<std::string> additional;  ///< "additional_special_tokens"
};

/// A folder's tokenizer_config.json and special_tokens_map.json, each parsed once. A
/// malformed key, or a file that is not an object, is an error only in the functions that
/// read it: Error{BadInput} naming file and key.
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
  /// The description of the class; nullptr if none is named or it is not known.
  const TokenizerClass* knownClass() const;

  /// The tokens by role: from tokenizer_config.json, else from special_tokens_map.json,
  /// else the defaults of the tokenizer's class. An explicit null means that there is no
  /// such token.
  SpecialTokenNames specialTokens() const;

  /// Builds the array "added_tokens" of tokenizer.json for a folder without that file:
  /// the entries of "added_tokens_decoder", or else of added_tokens.json, and the special
  /// tokens that only the vocabulary has. All tokens of `specialTokens` are special.
  Json addedTokens(const Vocabulary& vocabulary) const;

  const Json& content() const { return m_content; }  ///< of tokenizer_config.json
  std::string source() const;  ///< the path of tokenizer_config.json, for errors
  const std::filesystem::path& folder() const { return m_folder; }

 private:
  std::filesystem::path m_folder;
  Json m_content, m_tokensMap;
};

}  // namespace equipatch
