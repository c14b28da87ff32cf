#pragma once

#include <cstddef>
#include <span>

namespace equipatch {

/// Asks the system to keep a large piece of memory, or of a mapped file, in large pages.
/// Where that is granted, reading it all costs a third less: looking up where each small
/// page lies is what a processor waits for. To be asked before the memory is first
/// touched. What the system cannot do is left.
void preferLargePages(std::span<const std::byte> memory);

}  // namespace equipatch
