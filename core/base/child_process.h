// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace equipatch {

/// Limits of a child process. A child that exceeds a limit is killed, except at the
/// memory limit: there, its allocations fail.
struct ChildLimits {
  std::chrono::milliseconds wallClock{10'000};
  std::uint64_t cpuSeconds = 10;
  std::uint64_t memoryBytes = std::uint64_t{1} << 30;  ///< of address space
  std::size_t outputBytes = std::size_t{16} << 20;     ///< of standard output
};

/// A program to run. It gets its own process group, only the given environment and only
/// the three standard streams, and cannot write data to a file. Only a Sandbox can also
/// keep the program from creating, truncating and deleting files.
struct ChildRequest {
  using Paths = std::vector<std::filesystem::path>;

  std::filesystem::path program;  ///< a path; PATH is not searched
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string input;  ///< the bytes of its standard input
  ChildLimits limits;
  /// If present, the program runs in a Sandbox. Where the system offers Landlock, the
  /// program can read only its own file and these files and folders.
  std::optional<Paths> readable = {};
};

enum class ChildEnding {
  Exited,
  Killed,      ///< by a signal, such as after a crash or at the limit of CPU time; or by
               ///< `runChild`, after standard output and standard error were closed
  NotStarted,  ///< the program is missing or cannot be executed
  TimedOut,    ///< the wall clock's limit
  OutputTooLarge,
};

struct ChildResult {
  ChildEnding ending = ChildEnding::NotStarted;
  /// Exit code, signal number or errno of a failed start, according to `ending`; else 0.
  int code = 0;
  std::string output;
  std::string standardError;  ///< cut after 64 KiB
};

/// Runs a program until its standard output and standard error are closed or a limit is
/// reached. Then kills its process group: no process of the group survives the call.
/// @throws Error{Cancelled} soon after a stop request; Error{Resource} when the system
/// refuses a socket, fork or poll.
ChildResult runChild(const ChildRequest& request, std::stop_token stop = {});

}  // namespace equipatch
