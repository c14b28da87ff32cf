// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace equipatch {

/// Receives the progress of long work and reports requests to stop it. Called by
/// the working thread; implementations must not block.
class Progress {
 public:
  virtual ~Progress() = default;

  /// `fraction` in [0, 1]; `label` is a short phrase such as "Reading the prompt".
  virtual void report(double fraction, std::string_view label) = 0;
  virtual bool stopRequested() const = 0;

  /// @throws Error{Cancelled} when a stop was requested.
  void throwIfStopped() const;
};

class SilentProgress final : public Progress {
 public:
  void report(double, std::string_view) override {}
  bool stopRequested() const override { return false; }
};

/// Reports the progress of a part to the whole: the part's fraction 0 becomes `begin`,
/// fraction 1 becomes `end`.
class PartialProgress final : public Progress {
 public:
  /// @param whole outlives this.
  PartialProgress(Progress& whole, double begin, double end)
      : m_whole(whole), m_begin(begin), m_end(end) {}
  /// Progress of item `number`, counted from 0, of `count` items of equal length.
  static PartialProgress ofItem(Progress& whole, std::size_t number, std::size_t count) {
    const double share = 1.0 / static_cast<double>(count);
    return {whole, share * static_cast<double>(number),
            share * static_cast<double>(number + 1)};
  }

  void report(double fraction, std::string_view label) override {
    m_whole.report(m_begin + fraction * (m_end - m_begin), label);
  }
  bool stopRequested() const override { return m_whole.stopRequested(); }

 private:
  Progress& m_whole;
  double m_begin;
  double m_end;
};

/// A PartialProgress that replaces each reported label up to its first ": " with `label`:
/// "Recomputing the context: layer 3 of 26".
class LabelledProgress final : public Progress {
 public:
  /// @param whole outlives this.
  LabelledProgress(Progress& whole, double begin, double end, std::string label)
      : m_part(whole, begin, end), m_label(std::move(label)) {}

  void report(double fraction, std::string_view label) override {
    const std::size_t colon = std::min(label.find(": "), label.size());
    m_part.report(fraction, m_label + std::string(label.substr(colon)));
  }
  bool stopRequested() const override { return m_part.stopRequested(); }

 private:
  PartialProgress m_part;
  std::string m_label;
};

/// Measures time since construction.
class Stopwatch {
 public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - m_start).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point m_start = Clock::now();
};

/// Reports how many layers of the model a long pass has finished, and ends the pass
/// between two layers when a stop is requested.
class LayerProgress {
 public:
  /// @param progress outlives this.
  /// @param label comes before ": layer 3 of 26"
  /// @param passes the number of passes in the whole work
  /// @param quietMilliseconds from construction to the first report; 0: report each layer
  LayerProgress(Progress& progress, std::string label, std::int64_t passes = 1,
                double quietMilliseconds = 300.0)
      : m_progress(progress),
        m_label(std::move(label)),
        m_passes(passes),
        m_next(quietMilliseconds) {}

  /// Call when the current pass has done `layers` of `all` layers. The next call after
  /// the last layer belongs to the next pass.
  /// @throws Error{Cancelled} on a stop request.
  void passed(std::int64_t layers, std::int64_t all);

 private:
  Progress& m_progress;
  std::string m_label;
  std::int64_t m_passes;
  std::int64_t m_finished = 0;  ///< passes
  double m_next;                ///< time of the next report, in milliseconds
  Stopwatch m_watch;
};

/// The time left at a constant rate; empty where no estimate is reliable, as in the first
/// seconds.
/// @param elapsed the time that the work from `begun` to `fraction` took
/// @param begun the fraction done earlier, for instance before a download was resumed
std::optional<std::chrono::seconds> remainingTime(std::chrono::duration<double> elapsed,
                                                  double fraction, double begun = 0.0);

}  // namespace equipatch
