// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace equipatch {

/// Watches the addresses of a mapped file. The system may no longer be able to provide a
/// page, because another program shortened the file or its disk fails. Normally, reading
/// that page ends the program with SIGBUS. In a watched range, the whole range is instead
/// replaced by zeros, and `lostPages` becomes true.
///
/// The first range installs the program's SIGBUS handler; bus errors at other
/// addresses are passed on to the handler that was installed before.
class MappedRange {
 public:
  struct Entry;

  MappedRange() = default;  ///< watches nothing
  /// @param bytes start at a page boundary
  explicit MappedRange(std::span<const std::byte> bytes);
  /// Destroy it before the addresses are unmapped.
  ~MappedRange();
  MappedRange(MappedRange&& other) noexcept;
  MappedRange& operator=(MappedRange&& other) noexcept;

  /// Any thread may call it. It covers all reads before the call.
  bool lostPages() const;

 private:
  Entry* m_entry = nullptr;
};

}  // namespace equipatch
