#pragma once

#include <filesystem>
#include <string>

namespace equipatch {

/// The processor as the system names it, or its kind, such as "aarch64": Linux names no
/// ARM processor.
///
/// @param root where proc is; only tests name another
std::string processorName(const std::filesystem::path& root = "/");

/// "2026-11-21T08:30:00Z".
std::string utcNow();

}  // namespace equipatch
