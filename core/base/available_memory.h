#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace equipatch {

/// Bytes that this process may still use without swapping: what the system calls
/// available, or what its control groups leave it when that is less. File pages that can
/// be dropped count as free. Nothing when the system does not tell.
/// @param root of the file system with proc and sys; another one in tests.
std::optional<std::int64_t> availableMemory(const std::filesystem::path& root = "/");

/// Bytes of memory that this process has had at most, mapped files among them; nothing
/// when the system does not tell.
/// @param root as above
std::optional<std::int64_t> peakMemory(const std::filesystem::path& root = "/");

}  // namespace equipatch
