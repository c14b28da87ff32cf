// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>

namespace equipatch {

/// What a tokenizer's parts may make of one text. Tokenizers are untrusted, and a few
/// normalizers in a row can grow a text without end or search it for ever; no published
/// tokenizer comes near these limits.
struct TextLimits {
  using Clock = std::chrono::steady_clock;

  std::size_t bytes = 0;       ///< the most that all results together may have
  Clock::time_point deadline;  ///< the end of all searches

  /// The limits of a text of `size` bytes whose work begins now.
  static TextLimits of(std::size_t size);

  /// Counts a result of `size` bytes, so that the next may have that much less.
  void spend(std::size_t size) { bytes -= size < bytes ? size : bytes; }

  /// @throws Error{Resource} when the deadline has passed.
  void requireTime() const;
  /// @throws Error{Resource} when a result of `size` bytes is too large.
  void requireSize(std::size_t size) const;
};

}  // namespace equipatch
