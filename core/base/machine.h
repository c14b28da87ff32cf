// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace equipatch {

/// The processor's model name. Where Linux reports none (ARM), the architecture, such as
/// "aarch64".
/// @param root the folder that holds proc; tests pass another one
std::string processorName(const std::filesystem::path& root = "/");

/// "2026-11-21T08:30:00Z".
std::string utcNow();

/// Whether a process with this id exists on this machine and is not a zombie.
bool isRunning(std::int64_t process);

/// The bytes that this process can still allocate without swapping: the minimum of the
/// system's available memory and what the process's control groups leave. Inactive file
/// pages in a control group count as free. Empty where the system reports neither.
/// @param root the folder that holds proc and sys
std::optional<std::int64_t> availableMemory(const std::filesystem::path& root = "/");

/// The process's peak resident memory in bytes, mapped files included. Empty where the
/// system does not report it.
std::optional<std::int64_t> peakMemory(const std::filesystem::path& root = "/");

/// Requests transparent huge pages for a range of memory or of a mapped file, because
/// reading it then causes fewer TLB misses. Call it before the memory is first touched.
/// Has no effect where such pages are not supported.
void preferLargePages(std::span<const std::byte> memory);

/// While at least one instance exists, malloc keeps most freed memory instead of
/// returning it to the system. It still returns blocks of 1 GiB or more and, on threads
/// other than the main one, blocks of 64 MiB or more. Use it where tensors of many
/// megabytes are allocated again and again: otherwise the system clears new pages each
/// time. Instances may exist on any threads. Without glibc they have no effect.
class MallocRetention {
 public:
  MallocRetention();
  ~MallocRetention();
  MallocRetention(const MallocRetention&) = delete;
  MallocRetention& operator=(const MallocRetention&) = delete;
};

}  // namespace equipatch
