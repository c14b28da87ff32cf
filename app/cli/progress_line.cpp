#include "app/cli/progress_line.h"

#include <unistd.h>

#include <iostream>

#include "core/base/number_format.h"
#include "core/base/progress.h"

namespace equipatch::cli {

namespace {

constexpr auto kPause = std::chrono::milliseconds(100);
constexpr std::size_t kColumns = 78;  // a longer line could not be written over

}  // namespace

ProgressLine::ProgressLine() : m_terminal(isatty(STDERR_FILENO) == 1) {}

void ProgressLine::begin() {
  m_begin = Clock::now();
  m_shown = {};
}

void ProgressLine::show(double fraction, const std::string& label) {
  const Clock::time_point now = Clock::now();
  if (!m_terminal || now - m_shown < kPause) return;
  m_shown = now;
  std::string line = std::to_string(static_cast<int>(100.0 * fraction)) + " %";
  if (const auto rest = remainingTime(now - m_begin, fraction))
    line += ", " + durationText(*rest) + " left";
  line = (line + ": " + label).substr(0, kColumns);
  std::cerr << '\r' << line << "\033[K" << std::flush;
  m_visible = true;
}

void ProgressLine::clear() {
  if (m_visible) std::cerr << "\r\033[K" << std::flush;
  m_visible = false;
}

}  // namespace equipatch::cli
