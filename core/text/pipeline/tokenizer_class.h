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

/// What a class of Hugging Face's tokenizers knows of itself, for folders whose files
/// leave it out.
struct TokenizerClass {
  /// Llama 3's first tokenizer, which has no class: a tokenizer.model of ranks.
  static constexpr const char* kLlama3 = "Llama 3";

  const char* name;  ///< without "Fast"
  /// Roles and tokens, unless the files say otherwise.
  std::vector<std::pair<const char*, const char*>> specialTokens;
  /// For byte-level pieces from vocab.json and merges.txt, or from a file of ranks: the
  /// expression whose matches are the pieces, nullptr where the class has no such files.
  const char* pattern = nullptr;
  bool composes = false;  ///< to NFC, before anything else
  /// Tokens that the class puts behind a file of ranks, in order, where no file names any
  /// added tokens.
  std::vector<std::string> tokensBehindRanks = {};
  const char* tokenBefore = nullptr;  ///< every text, where no file says otherwise

  /// By name, with or without "Fast"; nullptr for an unknown name.
  static const TokenizerClass* named(std::string_view name);
};

/// Expressions that cut a text into the pieces that are tokenized each by itself.
inline constexpr const char* kGpt2Pieces =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
inline constexpr const char* kLlama3Pieces =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|"
    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
inline constexpr const char* kQwenPieces =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|"
    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/// What surrounds a model of byte-level pieces where no tokenizer.json says it: the
/// class's expression and normal form, and the added tokens of the folder's files.
/// @throws Error{BadInput} naming the file for what cannot be read.
Pipeline byteLevelPipeline(const TokenizerConfigFile& file, const TokenizerClass& known,
                           std::shared_ptr<const PieceModel> model);

}  // namespace equipatch
