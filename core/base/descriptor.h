// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace equipatch {

/// Owns a file descriptor; a negative value means none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : m_number(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    m_number = std::exchange(other.m_number, -1);
    return *this;
  }

  int number() const { return m_number; }
  bool isOpen() const { return m_number >= 0; }
  /// A duplicate with a number above 2. If this program was started without standard
  /// streams, a new descriptor may get the number 0, 1 or 2, and a child that sets up its
  /// own streams would overwrite it. If the duplicate is not open, errno says why.
  Descriptor beyondStandardStreams() const {
    return Descriptor(fcntl(m_number, F_DUPFD_CLOEXEC, 3));
  }
  void close() {
    if (isOpen()) ::close(std::exchange(m_number, -1));
  }

 private:
  int m_number;
};

}  // namespace equipatch
