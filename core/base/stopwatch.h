#pragma once

#include <chrono>

namespace equipatch {

/// Time since it was made, by a clock that never jumps.
class Stopwatch {
 public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - m_start).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point m_start = Clock::now();
};

}  // namespace equipatch
