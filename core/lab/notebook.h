#pragma once

#include <chrono>
#include <string_view>

#include "core/lab/notebook.h"
#include "core/work/control.h"

namespace equipatch {

/// An experiment writes down here what it finds, as soon as it is worth seeing. Copies of
/// it go to the sink, at most some ten a second.
class Notebook {
 public:
  /// @param result names the experiment and its origin. Control and sink outlive this.
  Notebook(LabResult result, Control& control, LabSink& sink);

  std::uint64_t seed() const { return m_result.origin.seed; }

  /// Between two units of work: tells how far the experiment is and waits while it is
  /// paused. @throws Error{Cancelled} when it shall stop.
  void pass(double fraction, std::string_view label);

  /// For work that tells by itself how far it is, and asks whether to stop.
  Progress& progress() { return m_control; }

  // Each takes the place of what had the same title or name.
  void draw(LabPanel panel);
  void tell(LabScalar scalar);
  /// A sentence a reader of the figures should know.
  void note(std::string sentence);

  /// The last copy goes out.
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
