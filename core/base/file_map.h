// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

namespace equipatch {

/// A whole file mapped read-only. Views share it; the last one unmaps it.
class FileMap {
 public:
  /// @param maxBytes of a file that is read as a whole
  /// @throws Error{BadInput} naming the path when it is no readable regular file, or
  /// larger.
  static std::shared_ptr<const FileMap> open(
      const std::filesystem::path& path,
      std::uintmax_t maxBytes = std::numeric_limits<std::uintmax_t>::max());
  /// Anonymous memory that `fill` writes once, used like a mapped file. `release` has no
  /// effect on it. @throws Error{Resource} when the memory cannot be reserved.
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

  /// Releases the memory of the whole pages inside a part; later reads fetch them from
  /// the file.
  void release(std::span<const std::byte> part) const;

 private:
  FileMap(std::filesystem::path path, std::span<const std::byte> bytes);

  std::filesystem::path m_path;
  std::span<const std::byte> m_bytes;
};

}  // namespace equipatch
