#pragma once

#include <chrono>
#include <string>

namespace equipatch::cli {

/// A line on standard error that tells how far work is and how long it will still take,
/// written over again and again. Where standard error is no terminal there is none.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Other work begins, and its time.
  void begin();
  /// Shows it, unless it was shown a moment ago.
  void show(double fraction, const std::string& label);
  /// Leaves the place for other lines.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool m_terminal;
  bool m_visible = false;
  Clock::time_point m_begin = Clock::now();
  Clock::time_point m_shown;
};

}  // namespace equipatch::cli
