// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace equipatch {

/// The softmax's maximum and sum over a chunk of a row of logits.
struct LogitChunk {
  double max = 0.0;    ///< of the logits that are not NaN
  double sum = 0.0;    ///< Σ exp(logit − max); for an infinite max, Σ exp(logit)
  bool finite = true;  ///< false when any logit is NaN or infinite
};

template <typename T>
struct LogitPair {
  const T *a = nullptr, *b = nullptr;  ///< [count]
  std::int64_t count = 0;
  double logSumExpA = 0.0, logSumExpB = 0.0;  ///< of the whole rows
};

/// p is the softmax of row a, q of row b.
struct DifferenceChunk {
  double linf = 0.0;        ///< max |a − b|
  double distance = 0.0;    ///< Σ |p − q|
  double divergence = 0.0;  ///< Σ [p (log p − log q) + q − p]; no term is negative
};

/// Loops over logits. Every instruction set gives the same bits.
template <typename T>
struct LogitKernels {
  LogitChunk (*summarise)(const T* logits, std::int64_t count) = nullptr;
  DifferenceChunk (*compare)(const LogitPair<T>& pair) = nullptr;
  /// The smallest index ≥ `from` whose value exceeds `threshold`, or values.size().
  std::int64_t (*findGreater)(std::span<const T> values, std::int64_t from,
                              T threshold) = nullptr;
};

}  // namespace equipatch
