// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace equipatch {

/// A thread reads eight places of its memory in turn, each of which moves on to a stream
/// of consecutive addresses. The streams are an eighth of the thread's memory apart, or
/// 32 KiB. Which is faster depends on the processor: distant streams may meet in one bank
/// of the memory.
enum class StreamSpacing { Distant, Near };

/// Reads memory once on kernelThreads() threads: the upper limit of the speed of products
/// with weights. Returns the exclusive or of the memory's 64-bit words (without an
/// incomplete word at the end), so that the compiler cannot remove a read.
std::uint64_t streamRead(std::span<const std::byte> memory,
                         StreamSpacing spacing = StreamSpacing::Distant);

}  // namespace equipatch
