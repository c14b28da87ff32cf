#include "core/text/tokenizer_files.h"

#include <array>
#include <fstream>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/text/rank_file.h"
#include "core/text/tokenizer_class.h"

namespace equipatch {
namespace {

/// Both formats are called tokenizer.model; only one begins with a line of text.
TokenizerFormat formatOfModel(const std::filesystem::path& path) {
  std::array<char, 4096> beginning{};
  std::ifstream file(path, std::ios::binary);
  file.read(beginning.data(), beginning.size());
  const std::string_view bytes(beginning.data(), static_cast<std::size_t>(file.gcount()));
  return looksLikeRanks(bytes) ? TokenizerFormat::Ranks : TokenizerFormat::SentencePiece;
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
                   " files *.tiktoken, expected one; take the others away");
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
    const TokenizerClass* known = TokenizerClass::of(folder);
    return known && known->pattern ? vocab : model;
  }
  if (model) return model;
  return vocab ? vocab : rankFileIn(folder);
}

}  // namespace equipatch
