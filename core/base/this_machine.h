#pragma once

#include <filesystem>
#include <string>

namespace equipatch {

/// The processor as the system names it; empty where the system does not tell.
/// @param root of the file system that is asked
std::string processorName(const std::filesystem::path& root = "/");

/// "2026-11-21T08:30:00Z".
std::string utcNow();

}  // namespace equipatch
