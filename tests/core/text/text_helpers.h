// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/text/aligned_text.h"
#include "core/text/text_limits.h"
#include "core/text/token.h"
#include "core/text/tokenizer.h"

namespace equipatch::test {

/// The processor time of `action` in seconds, plus 10 clock ticks so that it is not 0.
template <typename Action>
double processorSeconds(Action action) {
  const std::clock_t begin = std::clock();
  action();
  return static_cast<double>(std::clock() - begin + 10) / CLOCKS_PER_SEC;
}

/// Modulo 2^64, by Newton's iteration.
constexpr std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t result = odd;
  for (int i = 0; i < 6; ++i) result *= 2 - odd * result;
  return result;
}

inline TextLimits ampleLimits() {
  return TextLimits::of(std::size_t{1} << 30);
}

inline std::vector<std::int64_t> idsOf(const std::vector<Token>& tokens) {
  std::vector<std::int64_t> ids;
  for (const Token& token : tokens) ids.push_back(token.id.value);
  return ids;
}

inline std::vector<TokenId> toIds(const std::vector<std::int64_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

inline std::vector<std::string> piecesOf(const std::vector<Token>& tokens) {
  std::vector<std::string> pieces;
  for (const Token& token : tokens) pieces.push_back(token.piece);
  return pieces;
}

/// True if every byte of a text of `size` bytes belongs to exactly one token, in order.
inline bool isPartition(const std::vector<Token>& tokens, std::size_t size) {
  std::size_t at = 0;
  for (const Token& token : tokens) {
    if (token.span.begin != at || token.span.end < at) return false;
    at = token.span.end;
  }
  return at == size;
}

/// The pre-tokens, joined by '|'.
inline std::string preTokensOf(const PreTokenizedText& text) {
  std::string result;
  for (const ByteSpan& range : text.preTokens) {
    if (!result.empty()) result += '|';
    result += text.bytes(range);
  }
  return result;
}

inline std::vector<std::size_t> originsOf(const AlignedText& text) {
  std::vector<std::size_t> origins;
  for (std::size_t i = 0; i <= text.text().size(); ++i) origins.push_back(text.origin(i));
  return origins;
}

/// A temporary folder for tokenizer files.
class TextFolder {
 public:
  std::filesystem::path path() const { return m_folder.path().toStdString(); }
  void give(const std::filesystem::path& file) const {
    std::filesystem::copy_file(file, path() / file.filename());
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path() / name) << text;
  }

 private:
  QTemporaryDir m_folder;
};

/// One line of a golden file: a text and what the reference implementation returns.
struct GoldenLine {
  std::string text;
  std::vector<std::int64_t> ids;
  Json all;  ///< the whole line
};

inline std::vector<GoldenLine> readGolden(const std::filesystem::path& path) {
  std::vector<GoldenLine> lines;
  std::ifstream file(path);
  if (!file) throw std::runtime_error("there is no " + path.string());
  for (std::string line; std::getline(file, line);) {
    Json json = Json::parse(line);
    lines.push_back({json["text"], json["ids"], std::move(json)});
  }
  if (lines.empty()) throw std::runtime_error(path.string() + " is empty");
  return lines;
}

inline std::string readBytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

/// The texts whose golden ids `tokenizer` does not reproduce, or whose tokens do not
/// partition them.
inline std::vector<std::string> differingTexts(const Tokenizer& tokenizer,
                                               const std::vector<GoldenLine>& lines,
                                               SpecialTokens specials) {
  std::vector<std::string> result;
  for (const GoldenLine& line : lines) {
    const auto tokens = tokenizer.encode(line.text, specials);
    if (idsOf(tokens) != line.ids || !isPartition(tokens, line.text.size()))
      result.push_back(line.text);
  }
  return result;
}

}  // namespace equipatch::test
