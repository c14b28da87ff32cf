// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/usage/number_checks.h"

#include <cmath>
#include <limits>
#include <sstream>

#include "core/base/error.h"
#include "core/base/number_from.h"

namespace equipatch::usage {

CLI::Validator between(double low, double high) {
  std::ostringstream range;  // for the help
  range << low << " to " << high;
  return CLI::Validator(
      [low, high](const std::string& text) -> std::string {
        const auto value = numberFrom<double>(text);
        if (value && *value >= low && *value <= high) return {};
        std::ostringstream expected;
        expected << "expected a number from " << low << " to " << high << ", found "
                 << inQuotes(text);
        return expected.str();
      },
      range.str());
}

CLI::Validator positive() {
  return CLI::Validator(
      [](const std::string& text) -> std::string {
        const auto value = numberFrom<double>(text);
        if (value && *value > 0.0 && std::isfinite(*value)) return {};
        return "expected a finite number above 0, found " + inQuotes(text);
      },
      "above 0");
}

CLI::Validator wholeNumber(std::int64_t low, std::int64_t high) {
  // The help shows no range whose upper end only guards against overflow.
  constexpr std::int64_t kLargest = std::numeric_limits<int>::max();
  return CLI::Validator(
      [low, high](std::string& text) -> std::string {
        const auto value = numberFrom<std::int64_t>(text);
        if (value && *value >= low && *value <= high) {
          text = std::to_string(*value);  // CLI11 would read 010 as an octal number
          return {};
        }
        return "expected a whole number from " + std::to_string(low) + " to " +
               std::to_string(high) + ", found " + inQuotes(text);
      },
      high < kLargest ? std::to_string(low) + " to " + std::to_string(high) : "");
}

}  // namespace equipatch::usage
