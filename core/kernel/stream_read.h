// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace equipatch {

/// How far apart the four streams of a thread begin; the thread reads a cache line of
/// each in turn. Near: 32 KiB. Distant: a quarter of the range that the thread reads.
/// Which is faster depends on the processor: distant streams may fall into the same
/// memory bank.
enum class StreamSpacing { Distant, Near };

/// Reads `memory` once on up to kernelThreads() threads. `bench` compares the speed of
/// steps with the speed of this read. Returns the XOR of all complete 64-bit words, so
/// that the compiler cannot remove a read.
std::uint64_t streamRead(std::span<const std::byte> memory,
                         StreamSpacing spacing = StreamSpacing::Distant);

}  // namespace equipatch
