#include "core/base/number_format.h"

#include <array>
#include <cstdio>

namespace equipatch {

namespace {

constexpr std::array kPrefixes{"", "k", "M", "G", "T", "P", "E"};

struct Scaled {
  std::string digits;
  std::string prefix;
};

Scaled scaled(std::int64_t number) {
  auto value = static_cast<double>(number);
  std::size_t prefix = 0;
  // What would be printed as 1000 is 1 of the next prefix.
  while (value >= 999.5 && prefix + 1 < kPrefixes.size()) {
    value /= 1000.0;
    ++prefix;
  }
  const int decimals = prefix == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return {text.data(), kPrefixes[prefix]};
}

}  // namespace

std::string bytesText(std::int64_t bytes) {
  const Scaled text = scaled(bytes);
  return text.digits + " " + text.prefix + "B";
}

std::string metricText(std::int64_t count) {
  const Scaled text = scaled(count);
  return text.prefix.empty() ? text.digits : text.digits + " " + text.prefix;
}

}  // namespace equipatch
