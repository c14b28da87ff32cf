// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/stream_read.h"

#include <atomic>
#include <cstring>

#include "core/kernel/threads.h"

namespace equipatch {
namespace {

using Vector [[gnu::vector_size(16)]] = std::uint64_t;
constexpr std::int64_t kLine = 64;
// A thread reads several streams at once, to keep more reads in flight.
constexpr std::int64_t kStreams = 4;
constexpr std::int64_t kAhead = 1280;  // bytes that a prefetch is ahead of its read
constexpr std::int64_t kPage = 4096, kGrain = kStreams * kPage;
// With StreamSpacing::Near, a thread reads pieces of this many bytes one after another;
// each stream reads a quarter of the piece.
constexpr std::int64_t kNear = 128 * 1024;

/// Reads kStreams consecutive bands of `band` bytes, one cache line of each in turn. Does
/// not read the rest of a band that is less than a cache line.
std::uint64_t readBands(const std::byte* from, std::int64_t band) {
  Vector sums[kStreams] = {};
  for (std::int64_t at = 0; at + kLine <= band; at += kLine)
    for (std::int64_t stream = 0; stream < kStreams; ++stream) {
      const std::byte* line = from + stream * band + at;
      // A prefetch past the end cannot fault.
      __builtin_prefetch(
          reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(line) + kAhead),
          0, 3);
      Vector vectors[kLine / sizeof(Vector)];
      std::memcpy(vectors, line, kLine);
      for (const Vector& vector : vectors) sums[stream] ^= vector;
    }
  Vector all = sums[0];
  for (std::int64_t stream = 1; stream < kStreams; ++stream) all ^= sums[stream];
  return all[0] ^ all[1];
}

std::uint64_t readRange(const std::byte* from, const std::byte* end,
                        StreamSpacing spacing) {
  std::uint64_t all = 0;
  for (; spacing == StreamSpacing::Near && end - from >= kNear; from += kNear)
    all ^= readBands(from, kNear / kStreams);
  const std::int64_t band = (end - from) / kStreams / kLine * kLine;
  all ^= readBands(from, band);
  from += band * kStreams;
  for (std::uint64_t word = 0; end - from >= std::ptrdiff_t{sizeof word};
       from += sizeof word) {
    std::memcpy(&word, from, sizeof word);
    all ^= word;
  }
  return all;
}

}  // namespace

std::uint64_t streamRead(std::span<const std::byte> memory, StreamSpacing spacing) {
  std::atomic<std::uint64_t> all = 0;
  const auto size = static_cast<std::int64_t>(memory.size());
  parallelRanges(
      {.items = size, .bytesPerItem = 1, .grain = kGrain}, [&](WorkRange range) {
        all ^= readRange(memory.data() + range.begin, memory.data() + range.end, spacing);
      });
  return all;
}

}  // namespace equipatch
