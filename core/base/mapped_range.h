// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace equipatch {

/// The addresses of a mapped file. While a range is watched, reading a page of it that
/// the system can no longer provide, because another program shortened the file or its
/// disk fails, does not end the program (SIGBUS): the whole range is replaced by zeros,
/// and `lostPages` becomes true.
///
/// The first range installs the program's handler of SIGBUS; bus errors at other
/// addresses are passed on to the handler that was installed before.
class MappedRange {
 public:
  struct Entry;

  MappedRange() = default;  ///< watches nothing
  /// @param bytes begin with a page
  explicit MappedRange(std::span<const std::byte> bytes);
  /// Destroy it before the addresses are unmapped.
  ~MappedRange();
  MappedRange(MappedRange&& other) noexcept;
  MappedRange& operator=(MappedRange&& other) noexcept;

  /// Any thread may call it. It tells of all reads that happened before the call.
  bool lostPages() const;

 private:
  Entry* m_entry = nullptr;
};

}  // namespace equipatch
