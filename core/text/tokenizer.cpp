#include "core/text/tokenizer.h"

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/text/sentencepiece_tokenizer.h"
#include "core/text/tokenizer_config.h"
#include "core/text/tokenizer_json.h"

namespace equipatch {
namespace {

constexpr const char* kJsonName = "tokenizer.json";
constexpr const char* kModelName = "tokenizer.model";
/// The largest in use have some 30 MB; parsed they take several times as much memory.
constexpr std::size_t kLargestFile = std::size_t{256} << 20;

bool isThere(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::string_view textOf(const FileMap& file) {
  const auto bytes = file.bytes();
  if (bytes.size() > kLargestFile)
    throw badInput(file.path().string() + " has " + std::to_string(bytes.size()) +
                   " bytes, expected at most " + std::to_string(kLargestFile) +
                   "; this is no tokenizer");
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::shared_ptr<const Tokenizer> Tokenizer::open(const std::filesystem::path& folder) {
  const std::filesystem::path json = folder / kJsonName;
  const std::filesystem::path model = folder / kModelName;
  if (!present(folder))
    throw badInput(folder.string() + " holds no tokenizer: expected " + kJsonName +
                   " or " + kModelName + "; give a folder that has one, or token ids");
  const TokenizerConfig config = TokenizerConfig::read(folder);
  if (isThere(json))
    return std::make_shared<TokenizerJson>(textOf(*FileMap::open(json)), config,
                                           json.string());
  return std::make_shared<SentencePieceTokenizer>(textOf(*FileMap::open(model)), config,
                                                  model.string());
}

bool Tokenizer::present(const std::filesystem::path& folder) {
  return isThere(folder / kJsonName) || isThere(folder / kModelName);
}

}  // namespace equipatch
