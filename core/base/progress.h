#pragma once

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

}  // namespace equipatch
