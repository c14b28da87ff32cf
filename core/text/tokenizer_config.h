#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/base/json.h"

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

}  // namespace equipatch
