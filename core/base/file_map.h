#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

namespace equipatch {

/// A whole file mapped read-only. Shared by every view into it; unmapped with the last
/// one.
class FileMap {
 public:
  /// @throws Error{BadInput} naming the path when it is no readable regular file.
  static std::shared_ptr<const FileMap> open(const std::filesystem::path& path);
  /// Memory that `fill` writes once, for what is to be used as a file is, without one.
  /// Nothing of it is ever released. @throws Error{Resource} when there is none so large.
  static std::shared_ptr<const FileMap> inMemory(
      std::size_t size, const std::function<void(std::span<std::byte>)>& fill);
  ~FileMap();
  FileMap(const FileMap&) = delete;
  FileMap& operator=(const FileMap&) = delete;

  std::span<const std::byte> bytes() const { return m_bytes; }
  const std::filesystem::path& path() const { return m_path; }

  /// Hands back the memory of the whole pages inside a part of the file: they come from
  /// the file again when they are next read.
  void release(std::span<const std::byte> part) const;

 private:
  FileMap(std::filesystem::path path, std::span<const std::byte> bytes);

  std::filesystem::path m_path;
  std::span<const std::byte> m_bytes;
};

}  // namespace equipatch
