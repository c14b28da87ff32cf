#include "core/kernel/threads.h"

#include <omp.h>

#include <algorithm>

#include "core/kernel/weight_products.h"

namespace equipatch {

void onLibraryThreads(std::int64_t items, std::int64_t grain,
                      const std::function<void(std::int64_t, std::int64_t)>& body) {
  const std::int64_t parts =
      std::clamp<std::int64_t>(items / std::max<std::int64_t>(1, grain), 1,
                               std::min(kernelThreads(), omp_get_max_threads()));
  if (parts == 1) return body(0, items);
#pragma omp parallel for schedule(static) num_threads(static_cast <int>(parts))
  for (std::int64_t part = 0; part < parts; ++part)
    body(items * part / parts, items * (part + 1) / parts);
}

NoLibraryThreads::NoLibraryThreads() : m_before(omp_get_max_threads()) {
  omp_set_num_threads(1);
}

NoLibraryThreads::~NoLibraryThreads() {
  omp_set_num_threads(m_before);
}

}  // namespace equipatch
