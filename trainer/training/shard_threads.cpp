#include "trainer/training/shard_threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "trainer/network/network.h"

namespace equipatch {

void inShards(std::size_t count, int threads,
              const std::function<void(std::size_t)>& compute) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    Network::computeAlone();
    for (std::size_t shard = next++; shard < count; shard = next++) {
      try {
        compute(shard);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 0; i < std::min(count, static_cast<std::size_t>(threads)); ++i)
      helpers.emplace_back(work);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace equipatch
