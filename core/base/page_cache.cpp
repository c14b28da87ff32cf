#include "core/base/page_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/file_map.h"

namespace equipatch {

void dropCachedPages(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.isOpen())
    throw badInput(path.string() +
                   ": cannot be read; check the path and its permissions");
  ::fdatasync(file.number());  // what is not on the disk yet cannot be forgotten
  ::posix_fadvise(file.number(), 0, 0, POSIX_FADV_DONTNEED);
}

double cachedShare(const std::filesystem::path& path) {
  const auto map = FileMap::open(path);
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::span<const std::byte> bytes = map->bytes();
  std::vector<unsigned char> pages((bytes.size() + page - 1) / page);
  // mincore wants a mutable pointer although nothing is written.
  if (pages.empty() ||
      ::mincore(const_cast<std::byte*>(bytes.data()), bytes.size(), pages.data()) != 0)
    return 0.0;
  const auto cached = std::count_if(pages.begin(), pages.end(),
                                    [](unsigned char state) { return state & 1; });
  return static_cast<double>(cached) / static_cast<double>(pages.size());
}

}  // namespace equipatch
