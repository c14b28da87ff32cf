// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/machine.h"
#include "core/base/mapped_range.h"

namespace equipatch {

/// A whole file mapped read-only. The destructor unmaps it, so keep the shared_ptr as
/// long as you use `bytes()`. If the file becomes unreadable while it is used, its bytes
/// read as zeros from then on; call `throwIfLost` before you use what was computed from
/// them.
class FileMap {
 public:
  /// @param maxBytes the largest file size that is accepted
  /// @throws Error{BadInput} naming the path when it is not a readable regular file or is
  /// larger than `maxBytes`.
  static std::shared_ptr<const FileMap> open(
      const std::filesystem::path& path,
      std::uintmax_t maxBytes = std::numeric_limits<std::uintmax_t>::max());
  /// Anonymous memory that `fill` writes once, used like a mapped file. Its path is
  /// empty, and `release` and `dropCached` have no effect on it. @throws Error{Resource}
  /// when the memory cannot be reserved.
  static std::shared_ptr<const FileMap> inMemory(
      std::size_t size, const std::function<void(std::span<std::byte>)>& fill);
  ~FileMap();
  FileMap(const FileMap&) = delete;
  FileMap& operator=(const FileMap&) = delete;

  std::span<const std::byte> bytes() const { return m_bytes; }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(m_bytes.data()), m_bytes.size()};
  }
  const std::filesystem::path& path() const { return m_path; }

  /// @throws Error{BadInput} naming the path when a page that was read could not be
  /// provided, because the file became shorter or its disk fails. Any thread may call it.
  void throwIfLost() const;

  /// Releases the pages that lie entirely inside `part`; later reads fetch them from the
  /// file.
  void release(std::span<const std::byte> part) const;

  /// Copies a part of `bytes()` into memory of the caller. Reads the file itself, which
  /// is several times as fast as copying from the mapping and maps no page of it into
  /// this process. Any thread may call it.
  /// @throws Error{BadInput} when the file cannot be read or has become shorter;
  ///         std::logic_error when the sizes of `part` and `into` differ.
  void read(std::span<const std::byte> part, std::span<std::byte> into) const;
  /// Lets the system drop the pages that lie entirely inside `part` from its page cache.
  /// Pages that a process has mapped stay.
  void dropCached(std::span<const std::byte> part) const;

 private:
  FileMap(std::filesystem::path path, std::span<const std::byte> bytes, Descriptor file);
  std::int64_t offsetOf(std::span<const std::byte> part) const;

  std::filesystem::path m_path;
  Descriptor m_file;  ///< none for anonymous memory
  std::span<const std::byte> m_bytes;
  MappedRange m_range;  ///< empty for anonymous memory
};

/// A copy of a small file's content. Unlike a mapping, it cannot be changed by others.
/// @throws as FileMap::open, and Error{BadInput} when the file becomes shorter meanwhile
std::string readFile(const std::filesystem::path& path, std::uintmax_t maxBytes);

/// Drops a file's pages from the page cache, so that the next read comes from the disk.
/// Pages that a process has mapped stay.
/// @throws Error{BadInput} naming the path when the file cannot be read.
void dropCachedPages(const std::filesystem::path& path);

/// The fraction of a file in the page cache, from 0 to 1; 0 for an empty file. The result
/// is always 1 for a file that this user neither owns nor may write, because Linux then
/// reports all pages as cached.
/// @throws Error{BadInput} naming the path when the file cannot be read.
double cachedShare(const std::filesystem::path& path);

/// A part of a mapped file; keeps the file mapped.
struct FilePart {
  std::shared_ptr<const FileMap> file;
  std::span<const std::byte> bytes;
};

/// Reads parts of mapped files into memory on a background thread, in file order. Other
/// threads may already compute with them; a thread that touches a page not yet in memory
/// waits for the disk. Pages are touched, not copied, so the mapping can use large pages.
///
/// Does nothing when the free memory is unknown, when no thread can be started, and when
/// the parts exceed half of the free memory: the pages read first would be evicted before
/// their use.
class Readahead {
 public:
  /// Starts at once. Destruction stops the thread within the time of one page.
  /// @param parts any two are equal or disjoint
  explicit Readahead(std::vector<FilePart> parts,
                     std::optional<std::int64_t> freeBytes = availableMemory());

  void wait();  ///< until everything is read

 private:
  std::jthread m_thread;
};

}  // namespace equipatch
