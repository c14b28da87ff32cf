// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/write_failure.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>

#include "core/base/number_format.h"

namespace equipatch {
namespace {

/// The largest size of a file that this process may write; −1 without a limit.
std::int64_t fileSizeLimit() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return -1;
  return static_cast<std::int64_t>(limit.rlim_cur);
}

bool isAtLimit(const struct stat& status) {
  return S_ISREG(status.st_mode) && status.st_size >= fileSizeLimit();
}

bool isAtLimit(const std::filesystem::path& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && isAtLimit(status);
}

std::string limitText() {
  return "this process may not write files larger than " + bytesText(fileSizeLimit()) +
         ", see ulimit -f";
}

}  // namespace

void surviveFileSizeLimit() {
  std::signal(SIGXFSZ, SIG_IGN);
}

Error writeFailed(const std::filesystem::path& path, const std::string& what,
                  const std::string& reason, int systemError,
                  const std::filesystem::path& written) {
  const bool limited =
      fileSizeLimit() >= 0 &&
      (systemError == EFBIG || isAtLimit(written.empty() ? path : written));
  const std::string sentence = path.string() + ": " + what;
  if (limited)
    return Error(ErrorKind::Resource,
                 sentence + " (" + limitText() + "); raise the limit");
  return Error(ErrorKind::Resource, sentence +
                                        (reason.empty() ? "" : " (" + reason + ")") +
                                        "; free some space or choose another place");
}

Error outputFailed(const std::string& what) {
  struct stat status = {};
  if (fileSizeLimit() >= 0 && ::fstat(STDOUT_FILENO, &status) == 0 && isAtLimit(status))
    return Error(ErrorKind::Resource, what + ": " + limitText() + "; raise the limit");
  return Error(ErrorKind::Resource, what + "; is the disk full?");
}

}  // namespace equipatch
