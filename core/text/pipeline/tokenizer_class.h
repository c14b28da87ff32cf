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

/// Defaults of a tokenizer class of Hugging Face transformers, used where a folder's
/// files do not set them.
struct TokenizerClass {
  /// `name` of the defaults for Llama 3's original tokenizer.model (tiktoken ranks). This
  /// file names no class. Llama 3.1 and later have the same file with other special
  /// tokens.
  static constexpr const char* kLlama3 = "Llama 3";
  static constexpr const char* kLlama31 = "Llama 3.1";

  const char* name;  ///< without "Fast"
  /// Default tokens by role.
  std::vector<std::pair<const char*, const char*>> specialTokens;
  /// The pre-tokenization expression for byte-level pieces from vocab.json and merges.txt
  /// or from a file of ranks; nullptr when the class has no such files.
  const char* pattern = nullptr;
  bool normalizesToNfc = false;  ///< before pre-tokenization
  /// Tokens whose ids follow the ranks, in order. An added token of the files replaces
  /// the token with the same id or text.
  std::vector<std::string> tokensAfterRanks = {};
  const char* tokenBefore = nullptr;  ///< before every text, unless a file says otherwise

  /// The class of this name, with or without "Fast" at its end; nullptr if unknown.
  static const TokenizerClass* named(std::string_view name);
};

/// Regular expressions whose matches are the pre-tokens.
inline constexpr const char* kGpt2Pattern =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
inline constexpr const char* kLlama3Pattern =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|"
    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
inline constexpr const char* kQwenPattern =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|"
    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/// Builds the pipeline of a byte-level tokenizer that has no tokenizer.json, from the
/// class's expression and normalization and the folder's added tokens.
/// @param known a class with a `pattern`
/// @throws Error{BadInput} naming the file, if it cannot be read. The error names the
/// folder if an added token is invalid or the vocabulary lacks the BOS or EOS.
Pipeline byteLevelPipeline(const TokenizerConfigFile& file, const TokenizerClass& known,
                           std::shared_ptr<const PieceModel> model);

}  // namespace equipatch
