#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace equipatch {

/// Reads memory once on kernelThreads() threads and does nothing with it: the speed that
/// products with weights can at best come to. Returns the exclusive or of its 64-bit
/// words, without what is left at the end, so that no read can be left out.
std::uint64_t streamRead(std::span<const std::byte> memory);

}  // namespace equipatch
