// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/log_ticks.h"

#include <algorithm>
#include <cmath>

namespace equipatch {
namespace {

constexpr double kMostPowers = 6.0;  // intervals between labelled powers of ten, at most
constexpr double kFewDecades = 3.5;  // a longer axis prefers powers of ten

/// The leading digits of ticks, for axes of at most `decades` decades.
struct DigitChoice {
  std::vector<int> digits;
  double decades = 0.0;
};

std::vector<double> digitTicks(const FigureRange& range, const std::vector<int>& digits) {
  std::vector<double> ticks;
  const int last = static_cast<int>(std::ceil(std::log10(range.high)));
  for (int exponent = static_cast<int>(std::floor(std::log10(range.low)));
       exponent <= last; ++exponent)
    for (const int digit : digits) {
      const double tick = digit * std::pow(10.0, exponent);
      if (tick >= range.low && tick <= range.high) ticks.push_back(tick);
    }
  return ticks;
}

/// Powers of ten whose exponents are multiples of `every`. If the range contains fewer
/// than two of these, returns two powers that are `every` decades apart, if they fit.
std::vector<double> powerTicks(const FigureRange& range, int every) {
  const int first = static_cast<int>(std::ceil(std::log10(range.low) - 1e-12));
  const int last = static_cast<int>(std::floor(std::log10(range.high) + 1e-12));
  int start = static_cast<int>(std::ceil(first / static_cast<double>(every))) * every;
  if (start + every > last && last - every >= first) start = last - every;
  std::vector<double> ticks;
  for (int exponent = start; exponent <= last; exponent += every)
    ticks.push_back(std::pow(10.0, exponent));
  return ticks;
}

bool haveRoom(const std::vector<double>& ticks, double apart) {
  for (std::size_t i = 1; i < ticks.size(); ++i)
    if (std::log10(ticks[i] / ticks[i - 1]) < apart) return false;
  return true;
}

/// Leaves out ticks that are nearer than `apart` decades to the last kept tick.
std::vector<double> thinned(const std::vector<double>& ticks, double apart) {
  std::vector<double> kept;
  for (const double tick : ticks)
    if (kept.empty() || std::log10(tick / kept.back()) >= apart) kept.push_back(tick);
  return kept;
}

/// Multiples of a step, without those that lack room. The step is 1, 2 or 5 times a power
/// of ten: the largest that gives at least two ticks.
LogTicks fineTicks(const FigureRange& range, double apart) {
  constexpr int kMostPlaces = 3;
  constexpr double kMostSteps = 1e15;  // from 0 to an end; a double counts these exactly
  const int last = static_cast<int>(std::floor(std::log10(range.high) + 1e-12));
  const int first = static_cast<int>(std::floor(std::log10(range.high - range.low)));
  for (int place = first; place > first - kMostPlaces; --place)
    for (const double digit : {5.0, 2.0, 1.0}) {
      const double step = digit * std::pow(10.0, place);
      if (range.high / step > kMostSteps) return {};
      std::vector<double> ticks;
      for (double n = std::ceil(range.low / step); n * step <= range.high; ++n)
        if (n * step >= range.low) ticks.push_back(n * step);
      ticks = thinned(ticks, apart);
      if (ticks.size() > 1) return {std::move(ticks), 0, last - place + 1};
    }
  return {};
}

}  // namespace

LogTicks logTicks(const FigureRange& range, double labels) {
  if (!(range.low > 0.0) || !(range.low < range.high) || !std::isfinite(range.high))
    return {};
  const double decades = std::log10(range.high) - std::log10(range.low);
  const double apart = decades / std::max(1.0, labels);
  const DigitChoice choices[] = {{{1, 2, 3, 4, 5, 6, 7, 8, 9}, 1.0},
                                 {{1, 2, 3, 5, 7}, 1.0},
                                 {{1, 2, 5}, kFewDecades},
                                 {{1, 3}, kFewDecades}};
  for (const auto& [digits, longest] : choices) {
    if (decades > longest) continue;
    std::vector<double> ticks = digitTicks(range, digits);
    if (ticks.size() > 1 && haveRoom(ticks, apart)) return {std::move(ticks), 0};
  }
  const int every = std::max(
      1, static_cast<int>(std::ceil(std::max(apart, decades / kMostPowers) - 1e-9)));
  std::vector<double> powers = powerTicks(range, every);
  if (powers.size() > 1) return {std::move(powers), every};
  LogTicks few{thinned(digitTicks(range, choices[decades > 1.0 ? 2 : 0].digits), apart)};
  if (few.values.size() > 1) return few;
  LogTicks fine = fineTicks(range, apart);
  return fine.values.empty() ? few : fine;
}

}  // namespace equipatch
