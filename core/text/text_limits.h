// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>

namespace equipatch {

/// Limits on the time that a tokenizer may take for one text, and on the size of what it
/// makes of the text. Tokenizers are untrusted: a few normalizers in a row can make a
/// text grow exponentially, or search it for years. Published tokenizers stay far below
/// the limits.
struct TextLimits {
  using Clock = std::chrono::steady_clock;

  std::size_t bytes = 0;       ///< the largest total size of all results
  std::size_t pieceBytes = 0;  ///< the largest total size of the pieces of all tokens
  Clock::time_point deadline;  ///< work that is unfinished then ends in an Error
  std::stop_token stop = {};   ///< stops the work at the user's request

  /// The limits of a text of `size` bytes whose work begins now.
  static TextLimits of(std::size_t size, std::stop_token stop = {});

  /// Subtracts a result of `size` bytes from what is left for later results.
  void countBytes(std::size_t size) { bytes -= size < bytes ? size : bytes; }
  /// Counts the piece of a token. @throws Error{Resource} when too little is left.
  void countPiece(std::size_t size);

  /// @throws Error{Cancelled} after a stop request.
  void throwIfStopped() const;
  /// @throws Error{Resource} when the deadline has passed, Error{Cancelled} after a stop
  /// request.
  void requireTime() const;
  /// @throws Error{Resource} when a result of `size` bytes is too large.
  void requireSize(std::size_t size) const;
};

/// Counts the steps of a loop over a text and calls TextLimits::requireTime once in many
/// steps, because reading the clock takes longer than a step.
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
