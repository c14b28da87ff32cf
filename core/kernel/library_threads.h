#pragma once

#include <cstdint>
#include <functional>

namespace equipatch {

/// Calls body(begin, end) on ranges that cover [0, items) once, each of at least `grain`
/// items, on the threads of OpenMP: those that libtorch and BLAS compute on. For what
/// stands between their operations, where the kernels' own pool would take the processors
/// from threads that still wait for the next. `body` must not throw.
void onLibraryThreads(std::int64_t items, std::int64_t grain,
                      const std::function<void(std::int64_t, std::int64_t)>& body);

/// While it lives, OpenMP works for this thread on this thread alone. A step's operations
/// are small but for the products, which have the kernels' pool; a team of OpenMP that is
/// woken for one of them waits, busy, where the pool would compute.
class NoLibraryThreads {
 public:
  NoLibraryThreads();
  ~NoLibraryThreads();
  NoLibraryThreads(const NoLibraryThreads&) = delete;
  NoLibraryThreads& operator=(const NoLibraryThreads&) = delete;

 private:
  int m_before;
};

}  // namespace equipatch
