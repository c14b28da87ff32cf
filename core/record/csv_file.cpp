#include "core/record/csv_file.h"

#include <array>
#include <charconv>
#include <vector>

#include "core/base/strings.h"

namespace equipatch {
namespace {

template <typename Number>
std::string shortest(Number number) {
  std::array<char, 32> text{};
  const auto [end, problem] =
      std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), end};
}

std::string quoted(const std::string& text) {
  const std::string valid = replaceInvalidUtf8(text);
  if (valid.find_first_of(",\"\r\n") == std::string::npos) return valid;
  std::string result = "\"";
  for (const char letter : valid)
    result += letter == '"' ? "\"\"" : std::string(1, letter);
  return result + '"';
}

std::string cellText(const SqlValue& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return quoted(*text);
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return shortest(*number);
  if (const auto* number = std::get_if<double>(&cell)) return shortest(*number);
  return {};
}

template <typename Cell, typename Text>
std::string line(const std::vector<Cell>& cells, Text text) {
  std::string joined;
  for (const Cell& cell : cells) joined += text(cell) + ',';
  joined.back() = '\n';
  return joined;
}

}  // namespace

std::string csvNumber(float number) {
  return shortest(number);
}

void CsvFile::add(const ExportRow& row) {
  if (!m_begun) m_file << line(row.names, quoted);
  m_begun = true;
  m_file << line(row.cells, cellText);
}

}  // namespace equipatch
