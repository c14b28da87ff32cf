#pragma once

#include <string_view>

#include "core/base/progress.h"

namespace equipatch {

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

}  // namespace equipatch
