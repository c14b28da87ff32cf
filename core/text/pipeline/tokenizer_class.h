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

/// Defaults of a tokenizer class of Hugging Face transformers for what a folder's files
/// do not set.
struct TokenizerClass {
  /// Names made up here, because Llama 3's original tokenizer.model (tiktoken ranks)
  /// names no class. Llama 3.1 and later have the same file, but other special tokens.
  static constexpr const char* kLlama3 = "Llama 3";
  static constexpr const char* kLlama31 = "Llama 3.1";

  const char* name;  ///< without "Fast"
  /// Default tokens by role.
  std::vector<std::pair<const char*, const char*>> specialTokens;
  /// The regular expression whose matches are the pre-tokens of byte-level BPE
  /// (vocab.json and merges.txt, or a file of ranks); nullptr for a class without such
  /// files.
  const char* pattern = nullptr;
  bool normalizesToNfc = false;  ///< before pre-tokenization
  /// Tokens with the ids after the last rank, in order. An added token of the folder's
  /// files replaces the token with the same id or text.
  std::vector<std::string> tokensAfterRanks = {};
  const char* tokenBefore = nullptr;  ///< before every text, unless a file says otherwise

  /// @param name with or without "Fast" at its end
  /// @returns nullptr if unknown.
  static const TokenizerClass* named(std::string_view name);
};

inline constexpr const char* kGpt2Pattern =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
inline constexpr const char* kLlama3Pattern =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|"
    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
inline constexpr const char* kQwenPattern =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|"
    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/// Builds the pipeline of a byte-level tokenizer that has no tokenizer.json.
/// @param known a class with a `pattern`
/// @throws Error{BadInput} naming a file that cannot be read, or naming the folder if an
/// added token is invalid or the vocabulary lacks the BOS or EOS.
Pipeline byteLevelPipeline(const TokenizerConfigFile& file, const TokenizerClass& known,
                           std::shared_ptr<const PieceModel> model);

}  // namespace equipatch
