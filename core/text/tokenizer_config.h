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

/// The settings of tokenizer_config.json for the tokens before and after a text.
struct TokenizerConfig {
  std::optional<bool> addBos;
  std::optional<bool> addEos;
  std::optional<bool> addPrefixSpace;
  std::optional<std::string> bosToken;
  std::optional<std::string> eosToken;
};

/// The tokens with a role, as the files beside a tokenizer name them.
struct SpecialTokenNames {
  std::map<std::string, std::string> byRole;  ///< "bos_token": "<s>", and so on
  std::vector<std::string> additional;        ///< "additional_special_tokens"
};

/// A folder's tokenizer_config.json, read and parsed once. Keys are checked when they are
/// read, so that a damaged key matters only to its users. All functions throw
/// Error{BadInput} naming the file and the key.
class TokenizerConfigFile {
 public:
  /// A missing file counts as one without keys.
  static TokenizerConfigFile in(const std::filesystem::path& folder);
  TokenizerConfigFile(std::filesystem::path folder, Json content);

  TokenizerConfig config() const;
  /// "tokenizer_class"
  std::optional<std::string> className() const;
  /// The description of `className`, or nullptr when there is none.
  const TokenizerClass* knownClass() const;

  /// The tokens by role: from this file, else from special_tokens_map.json, else the
  /// defaults of the tokenizer's class. An explicit null means that there is no such
  /// token.
  SpecialTokenNames specialTokens() const;

  /// The added tokens of a folder without tokenizer.json, in tokenizer.json's form: from
  /// "added_tokens_decoder", else from added_tokens.json, and the tokens with a role that
  /// `model` has a piece for. Tokens with a role are special.
  Json addedTokens(const Vocabulary& model) const;

  const Json& content() const { return m_content; }
  std::string source() const;  ///< the file's path, for errors
  const std::filesystem::path& folder() const { return m_folder; }

 private:
  std::filesystem::path m_folder;
  Json m_content;
};

}  // namespace equipatch
