// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/descriptor.h"

namespace equipatch {

/// The restrictions of a sandboxed process.
struct SandboxReport {
  int landlock = 0;         ///< version of the kernel's Landlock; 0: none
  bool seccomp = false;     ///< a filter refuses system calls
  bool namespaces = false;  ///< own network namespace, without connections

  /// True if the process can read only the given files and change the content of none.
  /// Landlock 1 and 2 do not restrict truncation; the seccomp filter does.
  /// Without this filter, the process may still call chmod and chown.
  bool noFiles() const { return landlock >= 3 || (landlock > 0 && seccomp); }
  bool noNetwork() const { return seccomp || namespaces; }
  /// True if the process cannot start a process or program, or signal or trace another
  /// process.
  bool noProcesses() const { return seccomp; }

  /// "no files, no network, no other processes (Landlock 4, seccomp, namespaces)"
  std::string sentence() const;

  bool operator==(const SandboxReport&) const = default;
};

/// Denies a new process access to files, the network and other processes, as far as the
/// system offers Landlock, seccomp and namespaces. Construct the sandbox before fork;
/// call `enter` and `execute` in the child.
class Sandbox {
 public:
  /// @param readable files and folders; missing ones are ignored
  Sandbox(const std::filesystem::path& program,
          const std::vector<std::filesystem::path>& readable);

  /// Restricts the calling process until it ends; async-signal-safe.
  /// @returns the restrictions that took effect
  SandboxReport enter() const;
  /// Async-signal-safe. Returns errno, and only on failure.
  /// @param entered the result of `enter`
  int execute(const SandboxReport& entered, char* const* arguments,
              char* const* environment) const;

  /// The restrictions that take effect on this machine; forks a child to find out.
  static SandboxReport ofThisMachine();

 private:
  std::string m_path;
  Descriptor m_program;
  /// The filter allows execveat only with this number as sixth argument, which the kernel
  /// ignores. The executed program does not know the number, so it cannot execute another
  /// program. Landlock, where the system offers it, keeps it from reading the number in
  /// the memory of the process that started it.
  std::uint64_t m_executionKey;
  int m_problem = 0;                  ///< errno of opening the program
  int m_landlock = 0;                 ///< version
  Descriptor m_ruleset;               ///< of Landlock
  std::vector<sock_filter> m_filter;  ///< of seccomp; empty except on x86-64 and ARM64
};

}  // namespace equipatch
