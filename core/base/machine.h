// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace equipatch {

/// The processor's model name, or its architecture, such as "aarch64", where Linux
/// reports no model (ARM).
/// @param root folder that holds proc; tests pass another
std::string processorName(const std::filesystem::path& root = "/");

/// "2026-11-21T08:30:00Z".
std::string utcNow();

/// True if the process runs on this machine. A zombie (it has ended, but its parent has
/// not asked for its status) counts as not running.
bool isRunning(std::int64_t process);

/// The bytes this process can still allocate without swapping: the smaller of the
/// system's available memory and what its control groups leave. File pages that can be
/// dropped count as free. Empty where the system does not report it.
/// @param root folder that holds proc and sys; tests pass another
std::optional<std::int64_t> availableMemory(const std::filesystem::path& root = "/");

/// The process's peak resident memory in bytes, mapped files included. Empty where the
/// system does not report it.
/// @param root as above
std::optional<std::int64_t> peakMemory(const std::filesystem::path& root = "/");

/// Requests large pages for a large range of memory or of a mapped file. With them,
/// reading all of it takes a third less time, because fewer page addresses have to be
/// looked up. Call it before the memory is first touched. Unsupported requests have no
/// effect.
void preferLargePages(std::span<const std::byte> memory);

/// While at least one instance exists, malloc keeps most freed memory instead of
/// returning it to the system. It still returns blocks of 1 GiB or more and, on threads
/// other than the main one, blocks of 64 MiB or more. Without an instance, tensors of
/// many megabytes that are allocated at each training step, or at each layer of a long
/// prompt, get newly cleared pages every time, which took a third of a stacked model's
/// training time. Instances may exist on any threads. Without glibc this has no effect.
class MallocRetention {
 public:
  MallocRetention();
  ~MallocRetention();
  MallocRetention(const MallocRetention&) = delete;
  MallocRetention& operator=(const MallocRetention&) = delete;
};

}  // namespace equipatch
