// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_map.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/machine.h"

namespace equipatch {
namespace {

Error cannotRead(const std::filesystem::path& path, int code) {
  const std::string name = path.string();
  if (code == ENOENT || code == ENOTDIR)
    return badInput(name +
                    ": there is no such file; check the path or fetch the file again");
  if (code == EACCES || code == EPERM)
    return badInput(name + ": reading is not permitted; change the file's permissions");
  return badInput(name + ": the file cannot be read (" +
                  std::system_category().message(code) + ")");
}

}  // namespace

std::shared_ptr<const FileMap> FileMap::open(const std::filesystem::path& path,
                                             std::uintmax_t maxBytes) {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.isOpen()) throw cannotRead(path, errno);
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) throw cannotRead(path, errno);
  if (!S_ISREG(status.st_mode))
    throw badInput(path.string() +
                   ": expected a regular file, found a folder, pipe or device");

  const auto size = static_cast<std::uintmax_t>(status.st_size);
  if (size > maxBytes)
    throw badInput(path.string() + ": " + std::to_string(size) +
                   " bytes are more than the " + std::to_string(maxBytes) +
                   " such a file may have; it is probably another kind of file");
  if (size > std::numeric_limits<std::size_t>::max()) throw cannotRead(path, EFBIG);
  std::span<const std::byte> bytes;
  if (size > 0) {  // mmap refuses a length of 0
    const auto length = static_cast<std::size_t>(size);
    void* start = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (start == MAP_FAILED) throw cannotRead(path, errno);
    bytes = {static_cast<const std::byte*>(start), length};
    preferLargePages(bytes);
  }
  return std::shared_ptr<const FileMap>(new FileMap(path, bytes, std::move(file)));
}

std::shared_ptr<const FileMap> FileMap::inMemory(
    std::size_t size, const std::function<void(std::span<std::byte>)>& fill) {
  std::span<std::byte> bytes;
  if (size > 0) {
    void* start =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
      throw Error(ErrorKind::Resource, "the system cannot give " + std::to_string(size) +
                                           " bytes of memory; close other programs");
    bytes = {static_cast<std::byte*>(start), size};
  }
  std::shared_ptr<const FileMap> map(new FileMap({}, bytes, Descriptor()));
  preferLargePages(bytes);
  fill(bytes);
  if (size > 0) ::mprotect(bytes.data(), size, PROT_READ);
  return map;
}

FileMap::FileMap(std::filesystem::path path, std::span<const std::byte> bytes,
                 Descriptor file)
    : m_path(std::move(path)), m_file(std::move(file)), m_bytes(bytes) {
  if (m_file.isOpen()) m_range = MappedRange(bytes);
}

void FileMap::throwIfLost() const {
  if (m_range.lostPages())
    throw badInput(m_path.string() +
                   ": a part of the file can no longer be read, because another program "
                   "shortened it or its disk fails; see that the file is whole, and open "
                   "it again");
}

std::int64_t FileMap::offsetOf(std::span<const std::byte> part) const {
  return part.empty() ? 0 : part.data() - m_bytes.data();
}

void FileMap::read(std::span<const std::byte> part, std::span<std::byte> into) const {
  if (part.size() != into.size())
    throw std::logic_error("a part of a file is read into memory of another size");
  if (!m_file.isOpen()) {
    std::ranges::copy(part, into.begin());
    return;
  }
  std::int64_t offset = offsetOf(part);
  while (!into.empty()) {
    const ssize_t count =
        ::pread(m_file.number(), into.data(), into.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw cannotRead(m_path, errno);
    if (count == 0)
      throw badInput(m_path.string() + ": ends at byte " + std::to_string(offset) +
                     ", although it had " + std::to_string(m_bytes.size()) +
                     " when it was opened; wait until it is no longer written, and open "
                     "it again");
    offset += count;
    into = into.subspan(static_cast<std::size_t>(count));
  }
}

void FileMap::dropCached(std::span<const std::byte> part) const {
  if (!m_file.isOpen() || part.empty())
    return;  // a length of 0 would mean the whole file
  ::posix_fadvise(m_file.number(), static_cast<off_t>(offsetOf(part)),
                  static_cast<off_t>(part.size()), POSIX_FADV_DONTNEED);
}

void FileMap::release(std::span<const std::byte> part) const {
  if (m_path.empty()) return;  // MADV_DONTNEED would clear anonymous memory
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(part.data());
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + part.size()) / page * page;
  if (first < last)
    ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

FileMap::~FileMap() {
  m_range = MappedRange();  // unwatch before the addresses are reused
  if (!m_bytes.empty()) ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
}

std::string readFile(const std::filesystem::path& path, std::uintmax_t maxBytes) {
  const auto file = FileMap::open(path, maxBytes);
  std::string content(file->bytes().size(), '\0');
  file->read(file->bytes(), std::as_writable_bytes(std::span(content)));
  return content;
}

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
  if (a.file->path() != b.file->path()) return a.file->path() < b.file->path();
  // Within one mapping, addresses are in the order of the file.
  return std::less<>()(a.bytes.data(), b.bytes.data());
}

bool startAlike(const FilePart& a, const FilePart& b) {
  return a.bytes.data() == b.bytes.data();
}

void touch(const std::byte& byte) {
  static_cast<void>(*static_cast<const volatile std::byte*>(&byte));
}

/// Reads a byte of each page. These page faults let the mapping use large pages, which
/// reads of the file (`FileMap::read`) do not.
void touch(std::span<const std::byte> bytes, const std::stop_token& stop) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (std::size_t at = 0; at < bytes.size() && !stop.stop_requested(); at += page)
    touch(bytes[at]);
  if (!bytes.empty()) touch(bytes.back());  // the bytes may start within a page
}

}  // namespace

Readahead::Readahead(std::vector<FilePart> parts, std::optional<std::int64_t> freeBytes) {
  std::ranges::sort(parts, liesBefore);
  // Several weights may share one tensor.
  const auto again = std::ranges::unique(parts, startAlike);
  parts.erase(again.begin(), again.end());
  if (!freeBytes || *freeBytes < 0 ||
      sizeOf(parts) > static_cast<std::size_t>(*freeBytes) / 2)
    return;
  try {
    m_thread = std::jthread([parts = std::move(parts)](const std::stop_token& stop) {
      for (const FilePart& part : parts) touch(part.bytes, stop);
    });
  } catch (const std::system_error&) {
    // If the thread cannot start, pages are read on first use.
  }
}

void Readahead::wait() {
  if (m_thread.joinable()) m_thread.join();
}

}  // namespace equipatch
