#include "core/text/vocab_files.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/strings.h"

namespace equipatch {
namespace {

constexpr std::uintmax_t kMostVocabularyBytes = std::uintmax_t{256} << 20;
constexpr std::string_view kVersionMark = "#version";

/// A line with both pieces of a merge a line; the first may tell the format's version.
Json mergesIn(std::string_view text, const std::string& source) {
  Json merges = Json::array();
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || (number == 1 && line.starts_with(kVersionMark))) continue;
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || line.find(' ', space + 1) != line.npos)
      throw badInput(source + " should have two pieces and a space in line " +
                     std::to_string(number) + ", found " + inQuotes(line));
    merges.push_back(Json::array({line.substr(0, space), line.substr(space + 1)}));
  }
  return merges;
}

Json readMerges(const std::filesystem::path& path) {
  const auto file = FileMap::open(path);
  const auto bytes = file->bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.size() > kMostVocabularyBytes)
    throw badInput(path.string() + " has " + std::to_string(text.size()) +
                   " bytes, expected at most " + std::to_string(kMostVocabularyBytes) +
                   "; this is no tokenizer");
  const std::size_t invalid = firstInvalidUtf8(text);
  if (invalid != std::string_view::npos)
    throw badInput(path.string() + " is not valid UTF-8 at byte " +
                   std::to_string(invalid));
  return mergesIn(text, path.string());
}

}  // namespace

std::shared_ptr<const PieceModel> readVocabFiles(const std::filesystem::path& vocab,
                                                 const std::filesystem::path& merges) {
  const Json model{{"type", "BPE"},
                   {"vocab", readJsonFile(vocab, kMostVocabularyBytes)},
                   {"merges", readMerges(merges)}};
  return PieceModel::parse(&model,
                           vocab.string() + " with " + merges.filename().string());
}

}  // namespace equipatch
