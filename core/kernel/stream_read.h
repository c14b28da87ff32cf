// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace equipatch {

/// How far apart the streams of a thread are. Which order is faster depends on the
/// processor: distant streams may meet in one bank of the memory.
enum class StreamOrder { Distant, Near };

/// Reads memory once on kernelThreads() threads: the upper limit of the speed of products
/// with weights. Returns the exclusive or of the memory's 64-bit words (without an
/// incomplete word at the end), so that the compiler cannot remove a read.
std::uint64_t streamRead(std::span<const std::byte> memory,
                         StreamOrder order = StreamOrder::Distant);

}  // namespace equipatch
