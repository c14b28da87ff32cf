#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/progress.h"

namespace equipatch {

/// A middle value and how far the others lie from it.
struct Spread {
  double median = 0.0;
  double low = 0.0;   ///< a tenth lies below
  double high = 0.0;  ///< a tenth lies above

  static Spread of(const std::vector<double>& values);
};

/// How long something took each time it was done.
struct Timing {
  std::string name;
  std::vector<double> milliseconds;

  Spread spread() const { return Spread::of(milliseconds); }
};

/// Of what was timed in turn, round by round: what slows the machine down for a while
/// leaves it alone.
Spread ratioOf(const Timing& above, const Timing& below);

/// Something to be timed.
struct Timed {
  std::string name;
  std::function<void()> work;
  std::function<void()> prepare = {};  ///< before each time, not timed itself
};

/// Does everything once to warm up, then `rounds` times in turn.
/// @throws Error{Cancelled} when `progress` asks to stop, between two of them.
std::vector<Timing> timeInTurn(const std::vector<Timed>& things, int rounds,
                               Progress& progress);

}  // namespace equipatch
