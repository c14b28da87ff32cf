// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace equipatch {

/// Ignores SIGXFSZ, so that a write beyond the process's limit on file sizes (ulimit -f)
/// fails with EFBIG instead of ending the program. Call at the start of main.
void surviveFileSizeLimit();

/// The error for a write that failed: names the limit on file sizes if this limit is the
/// cause, otherwise `reason`.
/// @param what "the file cannot be written"
/// @param reason the message of the system or of a library; may be empty
/// @param systemError errno of the failed call if known, else 0
/// @param written the file that grew, if not `path`
Error writeFailed(const std::filesystem::path& path, const std::string& what,
                  const std::string& reason, int systemError,
                  const std::filesystem::path& written = {});

/// The same for standard output, without a reason.
/// @param what "the output could not be written"
Error outputFailed(const std::string& what);

}  // namespace equipatch
