// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace equipatch {

/// A thread reads its range of the memory as four streams, a cache line of each in turn.
/// The streams begin 32 KiB apart (Near) or a quarter of the range apart (Distant). Which
/// spacing is faster depends on the processor: distant streams may fall into the same
/// memory bank.
enum class StreamSpacing { Distant, Near };

/// Reads `memory` once on up to kernelThreads() threads, to measure the memory bandwidth.
/// Returns the XOR of all complete 64-bit words, so that the compiler cannot remove a
/// read.
std::uint64_t streamRead(std::span<const std::byte> memory,
                         StreamSpacing spacing = StreamSpacing::Distant);

}  // namespace equipatch
