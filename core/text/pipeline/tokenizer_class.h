// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/pipeline/pipeline_tokenizer.h"
#include "core/text/tokenizer_config.h"

namespace equipatch {

/// The defaults of a tokenizer class of transformers, for folders whose files lack them.
struct TokenizerClass {
  /// Llama 3's first tokenizer, which has no class: ranks in a tokenizer.model.
  static constexpr const char* kLlama3 = "Llama 3";

  const char* name;  ///< without "Fast"
  /// Default tokens by role.
  std::vector<std::pair<const char*, const char*>> specialTokens;
  /// The pre-tokenization expression for byte-level pieces from vocab.json and merges.txt
  /// or from a file of ranks; nullptr when the class has no such files.
  const char* pattern = nullptr;
  bool composes = false;  ///< applies NFC first
  /// Tokens that follow the ranks, in order, when no file lists added tokens.
  std::vector<std::string> tokensAfterRanks = {};
  const char* tokenBefore = nullptr;  ///< before every text, unless a file differs

  /// The class of this name, with or without "Fast" at its end; nullptr if unknown.
  static const TokenizerClass* named(std::string_view name);
};

/// Regular expressions whose matches are the pre-tokens.
inline constexpr const char* kGpt2Pieces =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
inline constexpr const char* kLlama3Pieces =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|"
    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
inline constexpr const char* kQwenPieces =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|"
    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/// The pipeline around a model of byte-level pieces without tokenizer.json: the class's
/// expression and normal form, and the folder's added tokens.
/// @throws Error{BadInput} naming the file that cannot be read.
Pipeline byteLevelPipeline(const TokenizerConfigFile& file, const TokenizerClass& known,
                           std::shared_ptr<const PieceModel> model);

}  // namespace equipatch
