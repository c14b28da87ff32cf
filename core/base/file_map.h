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

/// A whole file, mapped read-only, or anonymous memory that is used like one. Keep the
/// shared_ptr as long as you use `bytes()`. If the system cannot provide a page that you
/// read, all bytes become zeros: call `throwIfLost` before you use results computed from
/// them.
class FileMap {
 public:
  /// @throws Error{BadInput} when the path is not a readable regular file of at most
  /// `maxBytes`.
  static std::shared_ptr<const FileMap> open(
      const std::filesystem::path& path,
      std::uintmax_t maxBytes = std::numeric_limits<std::uintmax_t>::max());
  /// Anonymous memory that `fill` writes once. Its path is empty, and `release` and
  /// `dropCached` have no effect. @throws Error{Resource} when the memory cannot be
  /// reserved.
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

  /// Any thread may call it.
  /// @throws Error{BadInput} when the system could not provide a page for an earlier read
  void throwIfLost() const;

  /// Unmaps the pages entirely inside `part` from this process; later reads map them
  /// again. The system's page cache may keep them, see `dropCached`.
  void release(std::span<const std::byte> part) const;

  /// Copies a part of `bytes()`. Reads the file itself, which is several times as fast as
  /// copying from the mapping and makes no page of the mapping resident. Any thread may
  /// call it.
  /// @throws Error{BadInput} when the file cannot be read or has become shorter;
  ///         std::logic_error when the sizes of `part` and `into` differ
  void read(std::span<const std::byte> part, std::span<std::byte> into) const;
  /// Drops the pages entirely inside `part` from the system's page cache, except pages
  /// that a process has mapped and changes that are not yet on the disk.
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
/// @throws Error{BadInput} as `FileMap::open` and `FileMap::read`
std::string readFile(const std::filesystem::path& path, std::uintmax_t maxBytes);

/// As `FileMap::dropCached`, for a whole file, after writing its changes to the disk.
/// @throws Error{BadInput} when the file cannot be opened
void dropCachedPages(const std::filesystem::path& path);

/// The fraction of a file's pages in the page cache; 0 for an empty file. Always 1 for a
/// file that this user neither owns nor may write: Linux reports all its pages as cached.
/// @throws Error{BadInput} as `FileMap::open`
double cachedShare(const std::filesystem::path& path);

/// A part of a mapped file; keeps the file mapped.
struct FilePart {
  std::shared_ptr<const FileMap> file;
  std::span<const std::byte> bytes;
};

/// Loads the pages of parts of mapped files on a background thread, in file order. Other
/// threads may use the parts meanwhile.
///
/// Does nothing when the free memory is unknown, when no thread can be started, and when
/// the parts exceed half of the free memory: the pages read first would be evicted before
/// their use.
class Readahead {
 public:
  /// The destructor stops the thread after the page that is being read.
  /// @param parts any two are equal or disjoint
  explicit Readahead(std::vector<FilePart> parts,
                     std::optional<std::int64_t> freeBytes = availableMemory());

  void wait();  ///< until all parts are loaded

 private:
  std::jthread m_thread;
};

}  // namespace equipatch
