// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/piece_files.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/hash.h"
#include "core/base/number_from.h"
#include "core/base/stop_check.h"
#include "core/base/strings.h"
#include "core/text/pipeline/byte_level.h"

namespace equipatch {

namespace {

/// Limits the work of finding the merges: the sum of the squared piece lengths, which is
/// about ten million in published files.
constexpr std::size_t kMostWork = std::size_t{1} << 30;

struct Line {
  std::string piece;
  std::int64_t rank = 0;
};

std::optional<Line> readLine(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || space == 0) return std::nullopt;
  auto piece = decodeBase64(line.substr(0, space));
  const auto rank = numberFrom<std::int64_t>(line.substr(space + 1));
  if (!piece || piece->empty() || !rank || *rank < 0) return std::nullopt;
  return Line{*std::move(piece), *rank};
}

std::string_view takeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string byteLevel(std::string_view bytes) {
  std::string result;
  for (const char byte : bytes)
    result += byteLevelCharacter(static_cast<unsigned char>(byte));
  return result;
}

}  // namespace

bool looksLikeRanks(std::string_view bytes) {
  return readLine(takeLine(bytes)).has_value();
}

std::vector<std::string> readRanks(std::string_view bytes, const std::string& source,
                                   const Progress& progress) {
  std::vector<std::string> pieces;
  StopCheck steps(progress);
  for (std::size_t number = 1; !bytes.empty(); ++number) {
    const std::string_view text = takeLine(bytes);
    steps.count(1 + text.size());
    if (text.empty()) continue;
    auto line = readLine(text);
    if (!line)
      throw badInput(source +
                     " should have bytes in base 64, a space and a rank in line " +
                     std::to_string(number) + ", found " + inQuotes(text));
    if (line->rank >= Vocabulary::kIdLimit)
      throw badInput(source + " has the rank " + std::to_string(line->rank) +
                     " in line " + std::to_string(number) + ", expected at most " +
                     std::to_string(Vocabulary::kIdLimit - 1));
    const auto rank = static_cast<std::size_t>(line->rank);
    if (rank >= pieces.size()) pieces.resize(rank + 1);
    if (!pieces[rank].empty())
      throw badInput(source + " has the rank " + std::to_string(rank) +
                     " again in line " + std::to_string(number));
    pieces[rank] = std::move(line->piece);
  }
  return pieces;
}

Bpe bpeOfRanks(const std::vector<std::string>& pieces, const std::string& source,
               const Progress& progress) {
  Bpe model;
  StopCheck steps(progress);
  std::unordered_map<std::string_view, std::uint32_t, KeyedHash> ranks;
  std::size_t work = 0;
  for (std::uint32_t rank = 0; rank < pieces.size(); ++rank) {
    if (pieces[rank].empty()) continue;
    work += pieces[rank].size() * pieces[rank].size();
    if (work > kMostWork)
      throw badInput(source +
                     " has longer pieces than any tokenizer needs; download it "
                     "again from the model's publisher");
    steps.count(pieces[rank].size());
    ranks.emplace(pieces[rank], rank);
    const std::string name = byteLevel(pieces[rank]);
    model.vocabulary.add(name, rank, source);
    if (pieces[rank].size() == 1) model.characters.put(Bpe::packed(name), rank);
  }
  if (model.characters.size() != 256)
    throw badInput(source + " has pieces for " + std::to_string(model.characters.size()) +
                   " bytes, expected all 256");
  for (const auto& [piece, rank] : ranks)
    for (std::size_t cut = 1; cut < piece.size(); ++cut) {
      steps.count(piece.size());
      const auto left = ranks.find(piece.substr(0, cut));
      if (left == ranks.end()) continue;
      const auto right = ranks.find(piece.substr(cut));
      if (right == ranks.end()) continue;
      // All splits of a piece have the same rank; of equal ranks the leftmost is applied
      // first.
      model.merges.put(Bpe::pairKey(left->second, right->second), {rank, rank});
    }
  model.ignoreMerges = true;
  return model;
}

namespace {

constexpr std::string_view kVersionMark = "#version";

Json mergesIn(std::string_view text, const std::string& source,
              const Progress& progress) {
  // A merge of four bytes in the file takes some 200 bytes of memory.
  if (const auto lines = std::ranges::count(text, '\n'); lines > Vocabulary::kIdLimit)
    throw badInput(source + " has " + std::to_string(lines) +
                   " lines, expected at most " + std::to_string(Vocabulary::kIdLimit));
  Json merges = Json::array();
  StopCheck steps(progress);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = takeLine(text);
    steps.count(1 + line.size());
    if (line.empty() || (number == 1 && line.starts_with(kVersionMark))) continue;
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || line.find(' ', space + 1) != line.npos)
      throw badInput(source + " should have two pieces and a space in line " +
                     std::to_string(number) + ", found " + inQuotes(line));
    merges.push_back(Json::array({line.substr(0, space), line.substr(space + 1)}));
  }
  return merges;
}

Json readMerges(const std::filesystem::path& path, const Progress& progress) {
  const std::string text = readFile(path, kMostTokenizerBytes);
  const std::size_t invalid = firstInvalidUtf8(text);
  if (invalid != std::string_view::npos)
    throw badInput(path.string() + " is not valid UTF-8 at byte " +
                   std::to_string(invalid));
  return mergesIn(text, path.string(), progress);
}

}  // namespace

std::shared_ptr<const PieceModel> readVocabFiles(const std::filesystem::path& vocab,
                                                 const std::filesystem::path& merges,
                                                 const Progress& progress) {
  const Json model{{"type", "BPE"},
                   {"vocab", readJsonFile(vocab, kMostTokenizerBytes, progress)},
                   {"merges", readMerges(merges, progress)}};
  return PieceModel::parse(&model, vocab.string() + " with " + merges.filename().string(),
                           progress);
}

}  // namespace equipatch
