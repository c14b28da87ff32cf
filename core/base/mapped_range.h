// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace equipatch {

/// Watches the addresses of a mapped file. When the system cannot provide a page, because
/// another program shortened the file or the disk fails, reading the page does not end
/// the program with SIGBUS: zeros replace the whole range, and `lostPages` becomes true.
///
/// The first range installs the SIGBUS handler. A SIGBUS of any other origin goes to the
/// previous handler, which then stays installed: no range is watched any more.
class MappedRange {
 public:
  struct Entry;

  MappedRange() = default;
  /// @param bytes must start at a page boundary
  explicit MappedRange(std::span<const std::byte> bytes);
  /// Destroy it before the addresses are unmapped.
  ~MappedRange();
  MappedRange(MappedRange&& other) noexcept;
  MappedRange& operator=(MappedRange&& other) noexcept;

  /// Covers all reads before the call. Any thread may call it.
  bool lostPages() const;

 private:
  Entry* m_entry = nullptr;
};

}  // namespace equipatch
