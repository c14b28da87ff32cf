#include "core/kernel/memory_read.h"

#include <atomic>
#include <cstring>

#include "core/kernel/parallel.h"

namespace equipatch {
namespace {

using Vector [[gnu::vector_size(64)]] = std::uint64_t;
constexpr std::int64_t kBlock = 4 * sizeof(Vector);

std::uint64_t folded(const Vector& vector) {
  std::uint64_t word = 0;
  for (std::size_t lane = 0; lane < sizeof(Vector) / sizeof word; ++lane)
    word ^= vector[lane];
  return word;
}

std::uint64_t readWords(const std::byte* from, const std::byte* end) {
  std::uint64_t all = 0;
  for (std::uint64_t word = 0; end - from >= std::ptrdiff_t{sizeof word};
       from += sizeof word) {
    std::memcpy(&word, from, sizeof word);
    all ^= word;
  }
  return all;
}

/// Some independent vectors at a time, and what comes later is fetched meanwhile, as the
/// products do.
std::uint64_t readRange(const std::byte* from, const std::byte* end) {
  constexpr std::ptrdiff_t kAhead = 16 * 1024;
  Vector sums[4] = {};
  for (; end - from >= kBlock; from += kBlock)
    for (std::size_t part = 0; part < 4; ++part) {
      const std::byte* at = from + part * sizeof(Vector);
      if (end - at > kAhead) __builtin_prefetch(at + kAhead, 0, 2);
      Vector vector;
      std::memcpy(&vector, at, sizeof vector);
      sums[part] ^= vector;
    }
  return folded(sums[0] ^ sums[1] ^ sums[2] ^ sums[3]) ^ readWords(from, end);
}

}  // namespace

std::uint64_t readMemory(std::span<const std::byte> memory) {
  std::atomic<std::uint64_t> all = 0;
  const auto size = static_cast<std::int64_t>(memory.size());
  parallelRanges(
      {.items = size, .bytesPerItem = 1, .grain = kBlock}, [&](WorkRange range) {
        all ^= readRange(memory.data() + range.begin, memory.data() + range.end);
      });
  return all;
}

}  // namespace equipatch
