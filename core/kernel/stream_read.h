// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace equipatch {

/// A thread reads four streams in turn, a cache line of each; this is how far apart they
/// begin. Near: 32 KiB. Distant: a quarter of the range that the thread reads. Which is
/// faster depends on the processor: distant streams may meet in one bank of the memory.
enum class StreamSpacing { Distant, Near };

/// Reads memory once on up to kernelThreads() threads; `bench` compares steps with its
/// speed. Returns the exclusive or of the memory's 64-bit words (without an incomplete
/// word at the end), so that the compiler cannot remove a read.
std::uint64_t streamRead(std::span<const std::byte> memory,
                         StreamSpacing spacing = StreamSpacing::Distant);

}  // namespace equipatch
