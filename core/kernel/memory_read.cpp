#include "core/kernel/memory_read.h"

#include <atomic>
#include <cstring>

#include "core/kernel/parallel.h"

namespace equipatch {
namespace {

using Vector [[gnu::vector_size(16)]] = std::uint64_t;
constexpr std::int64_t kLine = 64;
// Several streams at once, as the products read several rows of weights: more memory is
// on its way at a time than in one.
constexpr std::int64_t kStreams = 8, kStreamBytes = 4096;
constexpr std::int64_t kTile = kStreams * kStreamBytes;

std::uint64_t readTile(const std::byte* from) {
  Vector sums[kStreams] = {};
  for (std::int64_t at = 0; at < kStreamBytes; at += kLine)
    for (std::int64_t stream = 0; stream < kStreams; ++stream) {
      const std::byte* line = from + stream * kStreamBytes + at;
      // Of the next tile; past the end that does no harm.
      __builtin_prefetch(
          reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(line) + kTile),
          0, 2);
      Vector vectors[kLine / sizeof(Vector)];
      std::memcpy(vectors, line, kLine);
      for (const Vector& vector : vectors) sums[stream] ^= vector;
    }
  Vector all = sums[0];
  for (std::int64_t stream = 1; stream < kStreams; ++stream) all ^= sums[stream];
  return all[0] ^ all[1];
}

std::uint64_t readRange(const std::byte* from, const std::byte* end) {
  std::uint64_t all = 0;
  for (; end - from >= kTile; from += kTile) all ^= readTile(from);
  for (std::uint64_t word = 0; end - from >= std::ptrdiff_t{sizeof word};
       from += sizeof word) {
    std::memcpy(&word, from, sizeof word);
    all ^= word;
  }
  return all;
}

}  // namespace

std::uint64_t readMemory(std::span<const std::byte> memory) {
  std::atomic<std::uint64_t> all = 0;
  const auto size = static_cast<std::int64_t>(memory.size());
  parallelRanges(
      {.items = size, .bytesPerItem = 1, .grain = kTile}, [&](WorkRange range) {
        all ^= readRange(memory.data() + range.begin, memory.data() + range.end);
      });
  return all;
}

}  // namespace equipatch
