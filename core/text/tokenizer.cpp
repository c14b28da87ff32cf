// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/paths.h"
#include "core/text/pipeline/piece_files.h"
#include "core/text/pipeline/pipeline_tokenizer.h"
#include "core/text/pipeline/tokenizer_class.h"
#include "core/text/sentencepiece/sentencepiece_tokenizer.h"
#include "core/text/tokenizer_config.h"

namespace equipatch {

namespace {

/// Two formats use the name tokenizer.model. Only files of ranks begin with a text line.
TokenizerFormat formatOfModel(const std::filesystem::path& path) {
  constexpr std::size_t kLongestLine = 4096;
  return looksLikeRanks(startOfFile(path, kLongestLine)) ? TokenizerFormat::Ranks
                                                         : TokenizerFormat::SentencePiece;
}

std::optional<TokenizerFiles> modelIn(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "tokenizer.model";
  if (!isFile(path)) return std::nullopt;
  return TokenizerFiles{.format = formatOfModel(path), .path = path, .merges = {}};
}

std::optional<TokenizerFiles> vocabFilesIn(const std::filesystem::path& folder) {
  TokenizerFiles files{.format = TokenizerFormat::VocabFiles,
                       .path = folder / "vocab.json",
                       .merges = folder / "merges.txt"};
  if (!isFile(files.path) || !isFile(files.merges)) return std::nullopt;
  return files;
}

std::optional<TokenizerFiles> rankFileIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".tiktoken" && isFile(entry.path()))
      found.push_back(entry.path());
  if (found.empty()) return std::nullopt;
  if (found.size() > 1)
    throw badInput(folder.string() + " has " + std::to_string(found.size()) +
                   " files *.tiktoken, expected one; remove the others");
  return TokenizerFiles{
      .format = TokenizerFormat::Ranks, .path = found.front(), .merges = {}};
}

}  // namespace

std::optional<TokenizerFiles> TokenizerFiles::find(const std::filesystem::path& folder) {
  const std::filesystem::path json = folder / "tokenizer.json";
  if (isFile(json))
    return TokenizerFiles{
        .format = TokenizerFormat::HuggingFace, .path = json, .merges = {}};
  auto model = modelIn(folder);
  auto vocab = vocabFilesIn(folder);
  if (model && vocab) {
    const TokenizerClass* known = TokenizerConfigFile::read(folder).knownClass();
    return known && known->pattern ? vocab : model;
  }
  if (model) return model;
  return vocab ? vocab : rankFileIn(folder);
}

namespace {

/// The class defines what files of pieces lack: pre-tokenization and special tokens.
const TokenizerClass& classOf(const TokenizerConfigFile& config,
                              const std::filesystem::path& path) {
  const TokenizerClass* known = config.knownClass();
  if (known && known->pattern) return *known;
  const auto name = config.className();
  throw unsupported(path.string() +
                    " holds pieces only, and how a text is split depends on the "
                    "tokenizer's class: expected a \"tokenizer_class\" such as "
                    "GPT2Tokenizer or Qwen2Tokenizer in tokenizer_config.json, found " +
                    (name ? inQuotes(*name) : "none") +
                    "; correct it, or get the model's tokenizer.json");
}

/// Llama 3 or Llama 3.1, which share one tokenizer.model of ranks. Only config.json tells
/// them apart: since 3.1 its rotary scaling has the type "llama3".
const TokenizerClass& llamaClassIn(const std::filesystem::path& folder) {
  const char* name = TokenizerClass::kLlama3;
  const std::filesystem::path path = folder / "config.json";
  const Json config = isThere(path) ? readJsonFile(path) : Json::object();
  JsonObject fields(config, path.string());
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    const Json* table = fields.member(key);
    if (table && table->is_object() &&
        table->value("rope_type", table->value("type", Json())) == "llama3")
      name = TokenizerClass::kLlama31;
  }
  return *TokenizerClass::named(name);
}

std::shared_ptr<const Tokenizer> openRanks(const std::filesystem::path& folder,
                                           const std::filesystem::path& path,
                                           const Progress& progress) {
  const auto pieces =
      readRanks(readFile(path, kMostTokenizerBytes), path.string(), progress);
  const TokenizerConfigFile config = TokenizerConfigFile::read(folder);
  const TokenizerClass* known = config.knownClass();
  // If tokenizer_config.json names no byte-level class, a tokenizer.model of ranks is
  // Llama 3's.
  if (!known || !known->pattern)
    known = path.extension() == ".model" ? &llamaClassIn(folder) : &classOf(config, path);
  return std::make_shared<PipelineTokenizer>(byteLevelPipeline(
      config, *known, PieceModel::of(bpeOfRanks(pieces, path.string(), progress))));
}

std::shared_ptr<const Tokenizer> openSentencePiece(const std::filesystem::path& folder,
                                                   const std::filesystem::path& path,
                                                   const Progress& progress) {
  const TokenizerConfigFile config = TokenizerConfigFile::read(folder);
  const Json added = config.addedTokens({});
  return std::make_shared<SentencePieceTokenizer>(readFile(path, kMostTokenizerBytes),
                                                  config.config(), path.string(), &added,
                                                  progress);
}

}  // namespace

std::shared_ptr<const Tokenizer> Tokenizer::open(const std::filesystem::path& folder,
                                                 const Progress& progress) {
  const auto files = TokenizerFiles::find(folder);
  if (!files)
    throw badInput(folder.string() +
                   " holds no tokenizer: expected tokenizer.json, tokenizer.model, "
                   "vocab.json with merges.txt, or a file *.tiktoken; give a folder that "
                   "has one, or token ids");
  switch (files->format) {
    case TokenizerFormat::HuggingFace:
      return std::make_shared<TokenizerJson>(readFile(files->path, kMostTokenizerBytes),
                                             TokenizerConfigFile::read(folder).config(),
                                             files->path.string(), progress);
    case TokenizerFormat::SentencePiece:
      return openSentencePiece(folder, files->path, progress);
    case TokenizerFormat::Ranks:
      return openRanks(folder, files->path, progress);
    case TokenizerFormat::VocabFiles: {
      const TokenizerConfigFile config = TokenizerConfigFile::read(folder);
      return std::make_shared<PipelineTokenizer>(
          byteLevelPipeline(config, classOf(config, files->path),
                            readVocabFiles(files->path, files->merges, progress)));
    }
  }
  return nullptr;
}

bool Tokenizer::present(const std::filesystem::path& folder) {
  return fileOf(folder).has_value();
}

std::optional<std::filesystem::path> Tokenizer::fileOf(
    const std::filesystem::path& folder) {
  const auto files = TokenizerFiles::find(folder);
  if (!files) return std::nullopt;
  return files->path;
}

}  // namespace equipatch
