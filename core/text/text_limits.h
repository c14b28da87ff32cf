// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>

namespace equipatch {

/// Limits on the time that a tokenizer may take for one text, and on the size of its
/// results. Tokenizer files are untrusted: a few normalizers in a row can make a text
/// grow exponentially, or search it for years.
struct TextLimits {
  using Clock = std::chrono::steady_clock;

  std::size_t bytes = 0;       ///< left for all further results together
  std::size_t pieceBytes = 0;  ///< left for the pieces of all further tokens
  Clock::time_point deadline;
  std::stop_token stop = {};

  /// The limits of a text of `size` bytes. The time runs from this call on.
  static TextLimits of(std::size_t size, std::stop_token stop = {});

  /// Subtracts a result from `bytes`; 0 remains if the result is larger.
  void countBytes(std::size_t size) { bytes -= size < bytes ? size : bytes; }
  /// Subtracts a piece from `pieceBytes`. @throws Error{Resource} if too little is left.
  void countPiece(std::size_t size);

  /// @throws Error{Cancelled} after a stop request.
  void throwIfStopped() const;
  /// @throws Error{Resource} after the deadline; Error as throwIfStopped.
  void requireTime() const;
  /// @throws Error{Resource} if a result of `size` bytes is too large.
  void requireSize(std::size_t size) const;
};

/// Calls TextLimits::requireTime only once in many steps of a loop, because reading the
/// clock takes longer than a step.
class StepCounter {
 public:
  explicit StepCounter(const TextLimits& limits) : m_limits(limits) {}

  /// @throws Error as TextLimits::requireTime.
  void count(std::size_t steps = 1) {
    m_steps += steps;
    if (m_steps >= kStepsPerLook) look();
  }

 private:
  static constexpr std::size_t kStepsPerLook = std::size_t{1} << 16;

  void look() {
    m_steps = 0;
    m_limits.requireTime();
  }

  TextLimits m_limits;
  std::size_t m_steps = 0;
};

}  // namespace equipatch
