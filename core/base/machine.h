#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace equipatch {

/// The processor as the system names it, or its kind, such as "aarch64": Linux names no
/// ARM processor.
///
/// @param root where proc is; only tests name another
std::string processorName(const std::filesystem::path& root = "/");

/// "2026-11-21T08:30:00Z".
std::string utcNow();

/// Bytes that this process may still use without swapping: what the system calls
/// available, or what its control groups leave it when that is less. File pages that can
/// be dropped count as free. Nothing when the system does not tell.
/// @param root of the file system with proc and sys; another one in tests.
std::optional<std::int64_t> availableMemory(const std::filesystem::path& root = "/");

/// Bytes of memory that this process has had at most, mapped files among them; nothing
/// when the system does not tell.
/// @param root as above
std::optional<std::int64_t> peakMemory(const std::filesystem::path& root = "/");

/// Asks the system to keep a large piece of memory, or of a mapped file, in large pages.
/// Where that is granted, reading it all costs a third less: looking up where each small
/// page lies is what a processor waits for. To be asked before the memory is first
/// touched. What the system cannot do is left.
void preferLargePages(std::span<const std::byte> memory);

/// While one lives, the process keeps the memory it frees instead of handing it back to
/// the system. Tensors of many megabytes that come and go with each training step, or
/// each layer of a long prompt, otherwise ask for cleared pages again and again, which
/// took a third of a stacked model's training. Any number may live, on any threads. Where
/// the C library has no such setting, nothing changes.
class MallocRetention {
 public:
  MallocRetention();
  ~MallocRetention();
  MallocRetention(const MallocRetention&) = delete;
  MallocRetention& operator=(const MallocRetention&) = delete;
};

}  // namespace equipatch
