#pragma once

#include <filesystem>

#include "core/base/error.h"

namespace equipatch {

/// Why a file could not even be begun: the folder is not there, or not to be written in.
Error unwritable(const std::filesystem::path& path);

}  // namespace equipatch
