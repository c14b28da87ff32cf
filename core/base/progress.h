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

  /// Throws Error{Cancelled} when a stop was requested. Call between units of work.
  void throwIfStopped() const;
};

/// Ignores reports and never requests a stop.
class SilentProgress final : public Progress {
 public:
  void report(double, std::string_view) override {}
  bool stopRequested() const override { return false; }
};

/// Reports the progress of a part of longer work to the whole: fraction 0 of the part
/// becomes `begin`, fraction 1 becomes `end`.
class PartialProgress final : public Progress {
 public:
  /// @param whole outlives this.
  PartialProgress(Progress& whole, double begin, double end)
      : m_whole(whole), m_begin(begin), m_end(end) {}
  /// The part of item `number` of `count` equal ones, from 0.
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

/// A PartialProgress with a label of its own. It keeps only the end of each reported
/// label, from ": " on: "Recomputing the context: layer 3 of 26".
class LabelledProgress final : public Progress {
 public:
  /// @param whole outlives this.
  LabelledProgress(Progress& whole, double begin, double end, std::string label)
      : m_part(whole, begin, end), m_label(std::move(label)) {}

  void report(double fraction, std::string_view label) override {
    const std::size_t layers = std::min(label.find(": "), label.size());
    m_part.report(fraction, m_label + std::string(label.substr(layers)));
  }
  bool stopRequested() const override { return m_part.stopRequested(); }

 private:
  PartialProgress m_part;
  std::string m_label;
};

/// The time since construction, by a monotonic clock.
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
/// between two layers when a stop is requested. Short work, which ends before the first
/// report is due, reports nothing.
class LayerProgress {
 public:
  /// @param progress outlives this.
  /// @param label comes before ": layer 3 of 26"
  /// @param passes number of passes in the whole work, whose progress goes from 0 to 1
  /// @param quietMilliseconds time from construction to the first report; 0: report every
  /// layer
  LayerProgress(Progress& progress, std::string label, std::int64_t passes = 1,
                double quietMilliseconds = 300.0)
      : m_progress(progress),
        m_label(std::move(label)),
        m_passes(passes),
        m_next(quietMilliseconds) {}

  /// Reports that the current pass has done `layers` of `all` layers.
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

/// The time left for work of which `fraction` is done, if its rate stays the same. Empty
/// while too little is done for an estimate.
/// @param elapsed the time that the work from `begun` to `fraction` took
/// @param begun the fraction that was done before that, for instance before a download
/// was resumed
std::optional<std::chrono::seconds> remainingTime(std::chrono::duration<double> elapsed,
                                                  double fraction, double begun = 0.0);

}  // namespace equipatch
