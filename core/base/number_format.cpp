// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_format.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <regex>
#include <string_view>

namespace equipatch {
namespace {

/// Enough for the largest double in fixed notation with 200 decimals.
constexpr std::size_t kLongestNumber = 512;

/// A NaN without its sign, which has no meaning and differs between processors.
template <typename Real>
Real withoutSignOfNan(Real value) {
  return std::isnan(value) ? std::abs(value) : value;
}

std::string formatted(double value, std::chars_format format, int precision) {
  std::array<char, kLongestNumber> text{};
  const auto [end, failure] = std::to_chars(text.data(), text.data() + text.size(),
                                            withoutSignOfNan(value), format, precision);
  return failure == std::errc() ? std::string(text.data(), end) : std::string();
}

template <typename Real>
std::string shortest(Real value) {
  std::array<char, 32> text{};
  const auto [end, failure] =
      std::to_chars(text.data(), text.data() + text.size(), withoutSignOfNan(value));
  return failure == std::errc() ? std::string(text.data(), end) : std::string();
}

constexpr std::array kPrefixes{"", "k", "M", "G", "T", "P", "E"};

struct Scaled {
  std::string digits;
  std::string prefix;
};

Scaled scaled(std::int64_t number) {
  auto value = static_cast<double>(number);
  std::size_t prefix = 0;
  // A value that would be printed as 1000 becomes 1 with the next prefix.
  while (value >= 999.5 && prefix + 1 < kPrefixes.size()) {
    value /= 1000.0;
    ++prefix;
  }
  const int decimals = prefix == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return {fixedText(value, decimals), kPrefixes[prefix]};
}

/// "3 h 20 min", or "3 h" without a remainder.
std::string twoUnits(std::int64_t count, std::int64_t smaller, const std::string& unit,
                     const std::string& smallerUnit) {
  const std::string text = std::to_string(count / smaller) + " " + unit;
  if (count % smaller == 0) return text;
  return text + " " + std::to_string(count % smaller) + " " + smallerUnit;
}

std::string superscript(int exponent) {
  constexpr std::array kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(exponent))
    text += c == '-' ? "⁻" : kDigits[static_cast<std::size_t>(c - '0')];
  return text;
}

/// "1.24e-05" as "1.24×10⁻⁵".
std::string withPower(std::string_view mantissa, const std::string& exponent) {
  return std::string(mantissa) + "×10" + superscript(std::stoi(exponent));
}

}  // namespace

std::string fixedText(double value, int decimals) {
  return formatted(value, std::chars_format::fixed, decimals);
}

std::string shortText(double value, int digits) {
  return formatted(value, std::chars_format::general, digits);
}

int distinctDigits(double a, double b) {
  constexpr int kFewest = 3;
  for (int digits = kFewest; digits <= std::numeric_limits<double>::max_digits10;
       ++digits)
    if (shortText(a, digits) != shortText(b, digits)) return digits;
  return kFewest;
}

std::string scientificText(double value, int decimals) {
  return formatted(value, std::chars_format::scientific, decimals);
}

std::string exactText(double value) {
  return shortest(value);
}

std::string exactText(float value) {
  return shortest(value);
}

std::string bytesText(std::int64_t bytes) {
  const Scaled text = scaled(bytes);
  return text.digits + " " + text.prefix + "B";
}

std::string metricText(std::int64_t count) {
  const Scaled text = scaled(count);
  return text.prefix.empty() ? text.digits : text.digits + " " + text.prefix;
}

std::string durationText(std::chrono::seconds duration) {
  constexpr std::int64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  const std::int64_t seconds = duration.count();
  if (seconds < kMinute) return std::to_string(seconds) + " s";
  if (seconds < kHour) return std::to_string(seconds / kMinute) + " min";
  if (seconds < kDay) return twoUnits(seconds / kMinute, 60, "h", "min");
  return twoUnits(seconds / kHour, 24, "d", "h");
}

std::string typographicText(double value, int digits) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  if (value == 0.0) return "0";
  const double size = std::abs(value);
  const std::string sign = value < 0 ? "−" : "";
  // From this size on, all `digits` significant digits are before the point.
  const double whole = std::pow(10.0, digits) - 0.5;
  if (size >= 1e-3 && size < 99999.5)
    return sign + (size >= whole ? fixedText(size, 0) : shortText(size, digits));
  const std::string plain = scientificText(size, digits - 1);
  const std::size_t e = plain.find('e');
  return sign + withPower(std::string_view(plain).substr(0, e), plain.substr(e + 1));
}

std::string typographicTick(double value) {
  static const std::regex zeros("\\.?0+(?=×)");
  return std::regex_replace(typographicText(value), zeros, "");
}

std::string powerOfTenText(int exponent) {
  if (exponent == 0) return "1";
  return exponent == 1 ? "10" : "10" + superscript(exponent);
}

std::string withTypographicExponents(const std::string& message) {
  static const std::regex plain("([0-9])e([-+][0-9]{2,3})(?![0-9A-Za-z])");
  std::string text;
  auto rest = message.begin();
  for (std::sregex_iterator match(message.begin(), message.end(), plain), end;
       match != end; ++match) {
    text.append(rest, (*match)[0].first);
    text += withPower((*match)[1].str(), (*match)[2].str());
    rest = (*match)[0].second;
  }
  return text.append(rest, message.end());
}

}  // namespace equipatch
