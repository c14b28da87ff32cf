// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/backend.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/base/program_files.h"
#include "core/base/progress.h"

namespace equipatch {
namespace {

/// Bytes of address space that loading libtorch takes. With too few (on two processors,
/// fewer than about 850 MiB), OpenBLAS retries without end and other libraries abort.
std::size_t spaceToLoad() {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  const long processors = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
  return 1024 * kMiB + static_cast<std::size_t>(processors) * 16 * kMiB;  // thread stacks
}

/// @throws Error{Resource} if a limit on the address space (`ulimit -v`) is too low
void checkSpaceToLoad() {
  const std::size_t needed = spaceToLoad();
  void* const space = mmap(nullptr, needed, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED)
    throw Error(ErrorKind::Resource,
                "libtorch cannot be loaded: it needs " + std::to_string(needed >> 20) +
                    " MiB of address space, which this process does not get; raise its "
                    "limit (ulimit -v)");
  munmap(space, needed);
}

const Backend* load() {
  using Entry = const Backend* (*)();
  checkSpaceToLoad();
  return reinterpret_cast<Entry>(ownLibraryFunction(
      "libequipatch_backend.so", "equipatchBackend", RTLD_LAZY | RTLD_LOCAL))();
}

}  // namespace

std::vector<NamedTensor> Backend::computeLogits(
    const Session& session, std::span<const TokenId> ids, SiteCapture capture,
    const std::vector<PromptImage>& images) const {
  SilentProgress silent;
  return computeLogits(session, ids, capture, images, silent);
}

const Backend& backend() {
  static const Backend* const loaded = load();
  return *loaded;
}

}  // namespace equipatch
