#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace equipatch {

/// The tokens with a role, as the files beside a tokenizer name them.
struct SpecialTokenNames {
  std::map<std::string, std::string> byRole;  ///< "bos_token": "<s>", and so on
  std::vector<std::string> additional;        ///< "additional_special_tokens"

  /// From tokenizer_config.json, where it is silent special_tokens_map.json, where both
  /// are the defaults of the tokenizer's class. An explicit null is an answer: none.
  /// @throws Error{BadInput} naming the file for what cannot be read.
  static SpecialTokenNames read(const std::filesystem::path& folder);
};

}  // namespace equipatch
