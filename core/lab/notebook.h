// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string_view>

#include "core/record/lab_result.h"
#include "core/work/control.h"

namespace equipatch {

/// Receives copies of an experiment's result so far. Unless the experiment is stopped or
/// fails, the last copy has `finished` set.
class LabSink {
 public:
  virtual ~LabSink() = default;
  /// Called on the experiment's thread; must return soon.
  virtual void labUpdated(std::shared_ptr<const LabResult> result) = 0;
};

/// Collects an experiment's result and sends copies to the sink: at most ten per second,
/// and one at the end.
class Notebook {
 public:
  /// Control and sink must outlive the notebook.
  /// @param result with the experiment's name and origin
  Notebook(LabResult result, Control& control, LabSink& sink);

  std::uint64_t seed() const { return m_result.origin.seed; }

  /// Call this between two units of work. Sends a copy if one is due, reports progress,
  /// and waits while the job is paused.
  /// @param fraction of all work, from 0; values above 1 count as 1
  /// @throws Error{Cancelled} when the job is stopped, and what the sink throws.
  void advance(double fraction, std::string_view label);

  /// For work that reports its own progress and checks for a stop.
  Progress& progress() { return m_control; }
  std::stop_token stopToken() const { return m_control.stopToken(); }

  /// Replaces any panel with the same title.
  void plot(LabPanel panel);
  /// Replaces any scalar with the same name.
  void addScalar(LabScalar scalar);
  /// A sentence for the captions of all figures.
  void addNote(std::string sentence);

  /// Marks the result as finished and sends the last copy.
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
