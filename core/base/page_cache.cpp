// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/page_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <system_error>
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
  ::fdatasync(file.number());  // dirty pages cannot be dropped
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

namespace {

std::size_t sizeOf(const std::vector<FilePart>& parts) {
  std::size_t bytes = 0;
  for (const FilePart& part : parts) bytes += part.bytes.size();
  return bytes;
}

bool liesBefore(const FilePart& a, const FilePart& b) {
  if (a.file != b.file) return a.file->path() < b.file->path();
  return std::less<>()(a.bytes.data(), b.bytes.data());
}

bool startAlike(const FilePart& a, const FilePart& b) {
  return a.bytes.data() == b.bytes.data();
}

/// Reads one byte of each page; this loads the page and those that the system reads
/// ahead.
void touch(std::span<const std::byte> bytes, const std::stop_token& stop) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (std::size_t at = 0; at < bytes.size() && !stop.stop_requested(); at += page)
    static_cast<void>(*static_cast<const volatile std::byte*>(&bytes[at]));
}

}  // namespace

ReadingAhead::ReadingAhead(std::vector<FilePart> parts,
                           std::optional<std::int64_t> freeBytes) {
  std::ranges::sort(parts, liesBefore);
  // Several weights may share one tensor.
  const auto again = std::ranges::unique(parts, startAlike);
  parts.erase(again.begin(), again.end());
  if (!freeBytes || sizeOf(parts) > static_cast<std::size_t>(*freeBytes) / 2) return;
  try {
    m_thread = std::jthread([parts = std::move(parts)](const std::stop_token& stop) {
      for (const FilePart& part : parts) touch(part.bytes, stop);
    });
  } catch (const std::system_error&) {
    // If the thread cannot start, pages are read on first use.
  }
}

void ReadingAhead::wait() {
  if (m_thread.joinable()) m_thread.join();
}

}  // namespace equipatch
