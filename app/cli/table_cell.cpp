#include "app/cli/table_cell.h"

#include <algorithm>

#include "app/cli/printable.h"

namespace equipatch::cli {

std::string heading(const std::string& text, int columns) {
  const int before = 2 + std::max(0, kNumberColumns - columns);
  return std::string(static_cast<std::size_t>(before), ' ') + text;
}

std::string cell(const std::string& text) {
  return heading(text, static_cast<int>(text.size()));
}

std::string cell(double number) {
  return "  " + numberText(number, kNumberColumns);
}

}  // namespace equipatch::cli
