// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string_view>

#include "core/record/lab_result.h"
#include "core/work/control.h"

namespace equipatch {

/// Receives copies of an experiment's whole result so far; the last one has `finished`
/// set, unless the experiment is stopped or fails. Called on the thread that runs the
/// experiment: must return soon.
class LabSink {
 public:
  virtual ~LabSink() = default;
  virtual void labUpdated(std::shared_ptr<const LabResult> result) = 0;
};

/// Collects an experiment's result while it runs and sends copies to the sink, at most
/// ten per second and one at the end.
class Notebook {
 public:
  /// @param result with the experiment's name and origin. Control and sink must outlive
  ///        this.
  Notebook(LabResult result, Control& control, LabSink& sink);

  std::uint64_t seed() const { return m_result.origin.seed; }

  /// Sends a copy if the last copy was sent at least 0.1 s ago; the first copy, if the
  /// notebook is at least 0.1 s old. Then reports progress and waits while the job is
  /// paused. To be called between two units of work.
  /// @param fraction of all work, from 0; above 1 it counts as 1
  /// @throws Error{Cancelled} when the job is stopped, and what the sink throws.
  void advance(double fraction, std::string_view label);

  /// For work that reports its own progress and checks for a stop.
  Progress& progress() { return m_control; }
  /// For work that only checks for a stop.
  std::stop_token stopToken() const { return m_control.stopToken(); }

  /// Adds the panel, or replaces the one of the same title.
  void plot(LabPanel panel);
  /// Adds the scalar, or replaces the one of the same name.
  void addScalar(LabScalar scalar);
  /// Adds a sentence that readers of the figures should know.
  void addNote(std::string sentence);

  /// Sends the last copy, marked as finished.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void publish();

  LabResult m_result;
  Control& m_control;
  LabSink& m_sink;
  Clock::time_point m_start = Clock::now();
  Clock::time_point m_published = m_start;
};

}  // namespace equipatch
