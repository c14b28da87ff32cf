#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/text/pipeline/vocabulary.h"

namespace equipatch {

/// What tokenizer_config.json says about the tokens around a text. Everything else in it
/// is about software that Equipatch is not.
struct TokenizerConfig {
  std::optional<bool> addBos;
  std::optional<bool> addEos;
  std::optional<bool> addPrefixSpace;
  std::optional<std::string> bosToken;
  std::optional<std::string> eosToken;

  /// @throws Error{BadInput} naming `source` for values of the wrong type.
  static TokenizerConfig parse(const Json& json, const std::string& source);
  /// From tokenizer_config.json of `folder`; nothing is set where there is none.
  static TokenizerConfig read(const std::filesystem::path& folder);
};

/// The tokens with a role, as the files beside a tokenizer name them.
struct SpecialTokenNames {
  std::map<std::string, std::string> byRole;  ///< "bos_token": "<s>", and so on
  std::vector<std::string> additional;        ///< "additional_special_tokens"

  /// From tokenizer_config.json, where it is silent special_tokens_map.json, where both
  /// are the defaults of the tokenizer's class. An explicit null is an answer: none.
  /// @throws Error{BadInput} naming the file for what cannot be read.
  static SpecialTokenNames read(const std::filesystem::path& folder);
};

/// The added tokens of a folder without tokenizer.json, in the form that tokenizer.json
/// has for them: from tokenizer_config.json's "added_tokens_decoder", else from
/// added_tokens.json; and the tokens with a role that the model's vocabulary has a piece
/// for. Tokens with a role are special.
/// @throws Error{BadInput} naming the file for what cannot be read.
Json readAddedTokensFiles(const std::filesystem::path& folder, const Vocabulary& model);

}  // namespace equipatch
