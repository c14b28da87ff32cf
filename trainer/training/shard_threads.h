#pragma once

#include <cstddef>
#include <functional>

namespace equipatch {

/// compute(0) … compute(count − 1) on up to `threads` threads, on each of which libtorch
/// computes alone: threads that meet once a step do not wait for each other at every
/// product, which is what makes the difference where others use the machine too. The
/// first exception is thrown again when all are done.
void inShards(std::size_t count, int threads,
              const std::function<void(std::size_t)>& compute);

}  // namespace equipatch
