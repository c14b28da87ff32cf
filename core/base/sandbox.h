// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/descriptor.h"

namespace equipatch {

/// Which restrictions a sandboxed process has.
struct SandboxReport {
  int landlock = 0;         ///< version of the kernel's Landlock; 0: none
  bool seccomp = false;     ///< a filter refuses system calls
  bool namespaces = false;  ///< the process has a network without connections

  /// True if the process can read only the given files and change the content of none.
  /// (Landlock 1 and 2 do not restrict truncation; no version restricts chmod and chown,
  /// which the filter refuses.)
  bool noFiles() const { return landlock >= 3 || (landlock > 0 && seccomp); }
  bool noNetwork() const { return seccomp || namespaces; }
  /// True if the process can neither start a process or program nor signal or trace
  /// another process.
  bool noProcesses() const { return seccomp; }

  /// "no files, no network, no other processes (Landlock 4, seccomp, namespaces)". Also
  /// names what the system cannot forbid.
  std::string sentence() const;

  bool operator==(const SandboxReport&) const = default;
};

/// Denies a new process access to files, the network and other processes. It uses
/// Landlock, seccomp and namespaces as far as the system offers them (a container may
/// forbid any of the three). Construct it before fork and use it between fork and exec.
class Sandbox {
 public:
  /// @param program to be executed
  /// @param readable files and folders that it may read; missing ones are ignored
  Sandbox(const std::filesystem::path& program,
          const std::vector<std::filesystem::path>& readable);

  /// Restricts the calling process until it ends; async-signal-safe.
  /// @returns the restrictions that took effect
  SandboxReport enter() const;
  /// Executes the program after `enter`; async-signal-safe. Returns only on failure.
  /// @param entered the result of `enter`
  /// @returns errno
  int execute(const SandboxReport& entered, char* const* arguments,
              char* const* environment) const;

  /// The restrictions that take effect on this machine, as a child process that enters a
  /// sandbox reports them.
  static SandboxReport ofThisMachine();

 private:
  std::string m_path;
  Descriptor m_program;
  /// The filter allows execveat only with this number. Landlock keeps the executed
  /// program from reading this process's memory and so from learning the number;
  /// therefore the program cannot execute another.
  std::uint64_t m_executionKey;
  int m_problem = 0;                  ///< errno of opening the program
  int m_landlock = 0;                 ///< version
  Descriptor m_ruleset;               ///< of Landlock
  std::vector<sock_filter> m_filter;  ///< of seccomp; only for x86-64 and ARM64
};

}  // namespace equipatch
