// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/file_claim.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

/// A lock on one byte beyond the end of any file.
struct flock lockOf(short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = off_t{1} << 62;
  lock.l_len = 1;
  return lock;
}

/// False only if another claim, in this or another program, holds the lock; true also
/// where the file system has no locks.
bool lock(const Descriptor& file, short type) {
  struct flock wanted = lockOf(type);
  if (::fcntl(file.number(), F_OFD_SETLK, &wanted) == 0) return true;
  return errno != EAGAIN && errno != EACCES;
}

/// True if the path still names the open file.
bool leadsTo(const fs::path& path, const Descriptor& file) {
  struct stat named = {}, open = {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(file.number(), &open) == 0 &&
         named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

Error fileInUse(const fs::path& path) {
  return badInput(path.string() +
                  ": another program is recording into this file right now; choose "
                  "another name, or wait for its end");
}

/// Opens the file for reading and, if possible, writing. Does not wait for the other end
/// of a pipe.
Descriptor openExisting(const fs::path& path, bool& writable) {
  constexpr int kFlags = O_CLOEXEC | O_NONBLOCK;
  Descriptor file(::open(path.c_str(), O_RDWR | kFlags));
  writable = file.isOpen();
  return writable ? std::move(file) : Descriptor(::open(path.c_str(), O_RDONLY | kFlags));
}

/// Removes the journal first: as soon as the file is gone, another program may create a
/// file of that name and a journal of its own.
void removeRun(const fs::path& path) {
  std::error_code ignored;
  for (const char* suffix : {"-journal", ""}) fs::remove(path.string() + suffix, ignored);
}

}  // namespace

FileClaim::FileClaim(fs::path path, Descriptor file)
    : m_path(std::move(path)), m_file(std::move(file)) {}

FileClaim::~FileClaim() {
  if (!m_isKept && m_file.isOpen() && leadsTo(m_path, m_file)) removeRun(m_path);
}

FileClaim FileClaim::create(const fs::path& path) {
  if (path.empty()) throw badInput("the name of the file to record is empty; give one");
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.isOpen() && errno == EEXIST)
    throw badInput(path.string() + " exists already; choose another name");
  if (!file.isOpen()) throw unwritable(path, errno);
  if (!lock(file, F_WRLCK) || !leadsTo(path, file)) throw fileInUse(path);
  return {path, std::move(file)};
}

FileClaim FileClaim::take(const fs::path& path) {
  bool writable = false;
  Descriptor file = openExisting(path, writable);
  if (!file.isOpen() && (errno == ENOENT || errno == ENOTDIR))
    throw badInput(path.string() + ": there is no such run file");
  if (!file.isOpen())
    throw badInput(path.string() + ": the file cannot be opened (" +
                   std::generic_category().message(errno) +
                   "); check its permissions and those of its folder");
  if (!writable)
    throw Error(ErrorKind::Resource,
                path.string() +
                    ": the file cannot be written; continue the run in "
                    "another file");
  if (!lock(file, F_WRLCK) || !leadsTo(path, file)) throw fileInUse(path);
  FileClaim claim(path, std::move(file));
  claim.keep();
  return claim;
}

bool FileClaim::isHeld(const fs::path& path) {
  bool writable = false;
  const Descriptor file = openExisting(path, writable);
  struct flock lock = lockOf(F_WRLCK);
  return file.isOpen() && ::fcntl(file.number(), F_OFD_GETLK, &lock) == 0 &&
         lock.l_type != F_UNLCK;
}

void FileClaim::removeUnheld(const fs::path& path) {
  bool writable = false;
  const Descriptor file = openExisting(path, writable);
  // A file that appears from now on is another program's and stays.
  if (!file.isOpen() && errno == ENOENT) return;
  if (file.isOpen() && !lock(file, writable ? F_WRLCK : F_RDLCK)) throw fileInUse(path);
  // If the file cannot be removed, a later `create` reports that it exists.
  if (!file.isOpen() || leadsTo(path, file)) removeRun(path);
}

std::string FileClaim::loss(std::int64_t least) const {
  struct stat named = {};
  if (::stat(m_path.c_str(), &named) != 0) {
    const bool isGone = errno == ENOENT || errno == ENOTDIR;
    return isGone ? "was removed" : "";
  }
  if (!leadsTo(m_path, m_file)) return "was replaced by another file";
  return named.st_size < least ? "was truncated" : "";
}

}  // namespace equipatch
