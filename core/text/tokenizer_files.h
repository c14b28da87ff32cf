#pragma once

#include <filesystem>
#include <optional>

namespace equipatch {

/// The kinds of file that say how a text becomes tokens.
enum class TokenizerFormat {
  HuggingFace,    ///< tokenizer.json
  SentencePiece,  ///< tokenizer.model
  Ranks,          ///< tokenizer.model or *.tiktoken of base64 and rank
  VocabFiles,     ///< vocab.json and merges.txt
};

/// Which of a folder's files its tokenizer is read from.
struct TokenizerFiles {
  TokenizerFormat format = TokenizerFormat::HuggingFace;
  std::filesystem::path path;
  std::filesystem::path merges;  ///< beside a vocab.json

  /// As transformers chooses: tokenizer.json; else the files of the class that
  /// tokenizer_config.json names; else what there is. Nothing where there is none.
  static std::optional<TokenizerFiles> find(const std::filesystem::path& folder);
};

}  // namespace equipatch
