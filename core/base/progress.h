#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace equipatch {

/// How long work tells how far it is and learns that it should stop. Called on the thread
/// that works; implementations may be slow-path only and never block.
class Progress {
 public:
  virtual ~Progress() = default;

  /// `fraction` in [0, 1]; `label` is a short phrase in the present tense.
  virtual void report(double fraction, std::string_view label) = 0;
  virtual bool stopRequested() const = 0;

  /// Throws Error{Cancelled} when a stop was requested. Call between units of work.
  void throwIfStopped() const;
};

/// Hears nothing and never stops: for tests and short work.
class SilentProgress final : public Progress {
 public:
  void report(double, std::string_view) override {}
  bool stopRequested() const override { return false; }
};

/// Work that is a stretch of a longer one: all of it is what lies between two fractions
/// of the other.
class PartialProgress final : public Progress {
 public:
  /// @param whole outlives this.
  PartialProgress(Progress& whole, double begin, double end)
      : m_whole(whole), m_begin(begin), m_end(end) {}

  void report(double fraction, std::string_view label) override {
    m_whole.report(m_begin + fraction * (m_end - m_begin), label);
  }
  bool stopRequested() const override { return m_whole.stopRequested(); }

 private:
  Progress& m_whole;
  double m_begin;
  double m_end;
};

/// How long work will still take that took `elapsed` for this fraction of itself, if it
/// goes on as it began; nothing while too little is done to tell.
std::optional<std::chrono::seconds> remainingTime(std::chrono::duration<double> elapsed,
                                                  double fraction);

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
