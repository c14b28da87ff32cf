// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/logit_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>

#include "core/base/error.h"
#include "core/kernel/kernel_table.h"
#include "core/kernel/threads.h"

namespace equipatch {
namespace {

// Logits per chunk. The size is fixed and the chunks' sums are added in order, so that no
// result depends on the number of threads. A chunk of floats fits into the first-level
// cache.
constexpr std::int64_t kChunk = 8192;
// The exponentials of a chunk take as long as reading this much memory.
constexpr std::int64_t kChunkBytesWorth = 512 * 1024;

template <typename T>
const LogitKernels<T>& logitKernels() {
  if constexpr (std::is_same_v<T, float>)
    return kernelTable().logitsF32;
  else
    return kernelTable().logitsF64;
}

bool ranksBefore(const RankedLogit& a, const RankedLogit& b) {
  return a.logit > b.logit || (a.logit == b.logit && a.index < b.index);
}

/// Keeps the largest of the logits offered so far. NaN counts as −∞.
class TopList {
 public:
  explicit TopList(std::size_t capacity) : m_capacity(capacity) {}

  bool full() const { return m_heap.size() == m_capacity; }
  /// The smallest kept logit of a full list.
  double threshold() const { return m_heap.front().logit; }

  void offer(RankedLogit candidate) {
    if (std::isnan(candidate.logit))
      candidate.logit = -std::numeric_limits<double>::infinity();
    if (full()) {
      if (!ranksBefore(candidate, m_heap.front())) return;
      std::pop_heap(m_heap.begin(), m_heap.end(), ranksBefore);
      m_heap.back() = candidate;
    } else {
      m_heap.push_back(candidate);
    }
    std::push_heap(m_heap.begin(), m_heap.end(), ranksBefore);
  }

  /// Ranges must ascend from call to call: if a logit equals threshold(), a full list
  /// assumes that the kept logit has the smaller index.
  template <typename T>
  void offerAll(std::span<const T> logits, WorkRange range) {
    if (m_capacity == 0) return;
    const auto part = logits.first(static_cast<std::size_t>(range.end));
    std::int64_t index = range.begin;
    for (; index < range.end && !full(); ++index) offer({index, part[index]});
    const auto find = logitKernels<T>().findGreater;
    while ((index = find(part, index, static_cast<T>(threshold()))) < range.end) {
      offer({index, part[index]});
      ++index;
    }
  }

  const std::vector<RankedLogit>& entries() const { return m_heap; }

  std::vector<RankedLogit> sorted() && {
    std::sort(m_heap.begin(), m_heap.end(), ranksBefore);
    return std::move(m_heap);
  }

 private:
  std::size_t m_capacity;
  std::vector<RankedLogit> m_heap;  // the lowest-ranked in front
};

WorkRange chunkRange(std::int64_t chunk, std::int64_t count) {
  return {chunk * kChunk, std::min(count, (chunk + 1) * kChunk)};
}

double logSumExpOf(const std::vector<LogitChunk>& chunks) {
  double max = -std::numeric_limits<double>::infinity();
  bool isNaN = false;
  for (const LogitChunk& chunk : chunks) {
    max = std::max(max, chunk.max);
    isNaN = isNaN || std::isnan(chunk.sum);
  }
  if (isNaN) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(max)) return max;
  double sum = 0.0;
  for (const LogitChunk& chunk : chunks) sum += chunk.sum * std::exp(chunk.max - max);
  return max + std::log(sum);
}

template <typename T>
LogitSummary summarise(std::span<const T> logits, std::int64_t topCount) {
  const auto count = static_cast<std::int64_t>(logits.size());
  const auto capacity =
      static_cast<std::size_t>(std::clamp<std::int64_t>(topCount, 0, count));
  std::vector<LogitChunk> chunks(static_cast<std::size_t>((count + kChunk - 1) / kChunk));
  TopList best(capacity);
  std::mutex mutex;
  parallelRanges({std::ssize(chunks), kChunkBytesWorth}, [&](WorkRange range) {
    TopList own(capacity);
    for (std::int64_t chunk = range.begin; chunk < range.end; ++chunk) {
      const WorkRange part = chunkRange(chunk, count);
      chunks[chunk] =
          logitKernels<T>().summarise(logits.data() + part.begin, part.end - part.begin);
      own.offerAll(logits, part);
    }
    const std::scoped_lock lock(mutex);
    for (const RankedLogit& entry : own.entries()) best.offer(entry);
  });
  LogitSummary summary{.logSumExp = logSumExpOf(chunks), .top = std::move(best).sorted()};
  for (const LogitChunk& chunk : chunks) summary.finite = summary.finite && chunk.finite;
  return summary;
}

template <typename T>
LogitDistance compare(const LogitPair<T>& pair) {
  std::vector<DifferenceChunk> chunks((pair.count + kChunk - 1) / kChunk);
  parallelRanges({std::ssize(chunks), kChunkBytesWorth}, [&](WorkRange range) {
    for (std::int64_t chunk = range.begin; chunk < range.end; ++chunk) {
      const WorkRange part = chunkRange(chunk, pair.count);
      LogitPair<T> piece = pair;
      piece.a += part.begin;
      piece.b += part.begin;
      piece.count = part.end - part.begin;
      chunks[chunk] = logitKernels<T>().compare(piece);
    }
  });
  LogitDistance difference;
  for (const DifferenceChunk& chunk : chunks) {
    difference.linf = std::max(difference.linf, chunk.linf);
    difference.tvd += chunk.distance / 2;
    difference.kl += chunk.divergence;
  }
  if (std::isnan(difference.tvd)) difference.linf = difference.tvd;
  difference.tvd = std::min(difference.tvd, 1.0);
  difference.kl = std::max(difference.kl, 0.0);
  return difference;
}

template <typename T>
LogitPair<T> paired(std::span<const T> a, std::span<const T> b) {
  if (a.size() != b.size())
    throw badInput(
        "two rows of logits to be compared must have the same length; one has " +
        std::to_string(a.size()) + ", the other " + std::to_string(b.size()));
  return {.a = a.data(), .b = b.data(), .count = std::ssize(a)};
}

}  // namespace

double LogitSummary::probability(double logit) const {
  return std::exp(logit - logSumExp);
}

LogitSummary summariseLogits(std::span<const float> logits, std::int64_t topCount) {
  return summarise(logits, topCount);
}

LogitSummary summariseLogits(std::span<const double> logits, std::int64_t topCount) {
  return summarise(logits, topCount);
}

LogitDistance compareLogits(std::span<const float> a, double logSumExpA,
                            std::span<const float> b, double logSumExpB) {
  LogitPair<float> pair = paired(a, b);
  pair.logSumExpA = logSumExpA;
  pair.logSumExpB = logSumExpB;
  return compare(pair);
}

LogitDistance compareLogits(std::span<const double> a, double logSumExpA,
                            std::span<const double> b, double logSumExpB) {
  LogitPair<double> pair = paired(a, b);
  pair.logSumExpA = logSumExpA;
  pair.logSumExpB = logSumExpB;
  return compare(pair);
}

}  // namespace equipatch
