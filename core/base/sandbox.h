// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <linux/filter.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/descriptor.h"

namespace equipatch {

/// What keeps a sandboxed process away from the rest of the machine.
struct SandboxReport {
  int landlock = 0;         ///< version of the kernel's Landlock; 0: none
  bool seccomp = false;     ///< system calls are refused
  bool namespaces = false;  ///< a network without devices

  /// The process reads the files that it is given and changes none. (Landlock 1 and 2
  /// leave out truncation.)
  bool noFiles() const { return landlock >= 3 || (landlock > 0 && seccomp); }
  bool noNetwork() const { return seccomp || namespaces; }
  /// It can start no process or program, and reach no other one.
  bool noProcesses() const { return seccomp; }

  /// "no files, no network, no other processes (Landlock 4, seccomp, namespaces)", or
  /// what is missing.
  std::string sentence() const;

  bool operator==(const SandboxReport&) const = default;
};

/// Cuts a new process off from files, the network and other processes, with as much of
/// Landlock, seccomp and namespaces as the system offers: a container may forbid any of
/// them. Made before fork, used between fork and exec.
class Sandbox {
 public:
  /// @param program to be executed
  /// @param readable files and folders that it may read; missing ones are ignored
  Sandbox(const std::filesystem::path& program,
          const std::vector<std::filesystem::path>& readable);

  /// Restricts the calling process for ever; async-signal-safe. @returns what holds.
  SandboxReport enter() const;
  /// Executes the program after `enter`; async-signal-safe. Returns only when that fails,
  /// the errno. @param entered what `enter` returned
  int execute(const SandboxReport& entered, char* const* arguments,
              char* const* environment) const;

  /// What holds on this machine, found out by a process that enters a sandbox.
  static SandboxReport ofThisMachine();

 private:
  std::string m_path;
  Descriptor m_program;  ///< with a number that the process itself cannot make
  int m_problem = 0;     ///< errno of opening the program
  int m_landlock = 0;    ///< version
  Descriptor m_ruleset;  ///< of Landlock
  std::vector<sock_filter> m_filter;  ///< of seccomp; empty on other processors
};

}  // namespace equipatch
