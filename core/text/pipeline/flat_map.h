// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/hash.h"

namespace equipatch {

/// A hash table with 64-bit keys and open addressing in one block of memory, for fast
/// lookups. Keys must differ from kFree. The hash is seeded per process, because
/// untrusted files choose the keys and could otherwise make them collide.
template <typename Value>
class FlatMap {
 public:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  FlatMap() : m_slots(16) {}

  void put(std::uint64_t key, const Value& value) {
    if (2 * (m_count + 1) > m_slots.size()) grow();
    Slot& slot = m_slots[slotOf(key)];
    if (slot.key == kFree) ++m_count;
    slot = {key, value};
  }

  const Value* find(std::uint64_t key) const {
    const Slot& slot = m_slots[slotOf(key)];
    return slot.key == kFree ? nullptr : &slot.value;
  }

  std::size_t size() const { return m_count; }

 private:
  struct Slot {
    std::uint64_t key = kFree;
    Value value{};
  };

  /// The slot of `key`, or the free slot for it.
  std::size_t slotOf(std::uint64_t key) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = static_cast<std::size_t>(splitMix64(key ^ m_seed)) & mask;
    while (m_slots[at].key != kFree && m_slots[at].key != key) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Slot> old(2 * m_slots.size());
    old.swap(m_slots);
    for (const Slot& slot : old)
      if (slot.key != kFree) m_slots[slotOf(slot.key)] = slot;
  }

  std::vector<Slot> m_slots;  ///< their number is a power of two
  std::size_t m_count = 0;
  std::uint64_t m_seed = processSeed();
};

}  // namespace equipatch
