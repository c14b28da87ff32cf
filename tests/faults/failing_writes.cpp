// SPDX-License-Identifier: GPL-3.0-or-later
// A library for LD_PRELOAD that makes writing calls fail, as a full, failing or limited
// disk does.
//
// The library counts the calls that change files below FAULT_FOLDER. Calls FAULT_FIRST to
// FAULT_LAST (from 1, both inclusive) fail with the error FAULT_ERROR: ENOSPC, EIO or
// EDQUOT. If FAULT_ERROR is `short`, these calls write half of their data instead, and
// calls without data succeed. At the end, the count is written to the file FAULT_COUNT.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

const char* setting(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

long number(const char* name, long otherwise) {
  const char* text = setting(name);
  return *text ? std::strtol(text, nullptr, 10) : otherwise;
}

std::atomic<long> calls{0};

bool isBelow(std::string_view path) {
  static const std::string_view folder = setting("FAULT_FOLDER");
  return !folder.empty() && path.starts_with(folder);
}

/// Keeps errno.
bool isBelow(int descriptor) {
  char link[32];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  char path[PATH_MAX];
  const int before = errno;
  const ssize_t length = readlink(link, path, sizeof path);
  errno = before;
  return length > 0 && isBelow(std::string_view(path, static_cast<std::size_t>(length)));
}

enum class Fate { Pass, Fail, Half };

/// Counts a call. Sets errno with Fate::Fail.
Fate next() {
  static const std::string_view error = setting("FAULT_ERROR");
  static const long first = number("FAULT_FIRST", LONG_MAX);
  static const long last = number("FAULT_LAST", LONG_MAX);
  const long call = ++calls;
  if (call < first || call > last) return Fate::Pass;
  if (error == "short") return Fate::Half;
  errno = error == "EIO" ? EIO : error == "EDQUOT" ? EDQUOT : ENOSPC;
  return Fate::Fail;
}

/// For calls that write no data.
bool fails() {
  return next() == Fate::Fail;
}

template <typename Function>
Function real(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// The bytes of a buffer that a call with Fate::Half writes.
ssize_t half(std::size_t size) {
  return static_cast<ssize_t>(std::max<std::size_t>(size / 2, 1));
}

struct Counter {
  ~Counter() {
    const char* path = setting("FAULT_COUNT");
    if (!*path) return;
    if (std::FILE* file = std::fopen(path, "w")) {
      std::fprintf(file, "%ld\n", calls.load());
      std::fclose(file);
    }
  }
} counter;

}  // namespace

// NOLINTBEGIN: names and types are those of the C library
#define REAL(name) static const auto call = real(&name, #name)

extern "C" {

ssize_t write(int file, const void* data, size_t size) {
  REAL(write);
  if (size == 0 || !isBelow(file)) return call(file, data, size);
  const Fate fate = next();
  if (fate == Fate::Fail) return -1;
  return call(file, data, fate == Fate::Half ? half(size) : size);
}

ssize_t pwrite(int file, const void* data, size_t size, off_t offset) {
  REAL(pwrite);
  if (size == 0 || !isBelow(file)) return call(file, data, size, offset);
  const Fate fate = next();
  if (fate == Fate::Fail) return -1;
  return call(file, data, fate == Fate::Half ? half(size) : size, offset);
}

ssize_t pwrite64(int file, const void* data, size_t size, off64_t offset) {
  return pwrite(file, data, size, offset);
}

ssize_t writev(int file, const struct iovec* parts, int count) {
  REAL(writev);
  if (count == 0 || !isBelow(file)) return call(file, parts, count);
  const Fate fate = next();
  if (fate == Fate::Fail) return -1;
  if (fate == Fate::Pass) return call(file, parts, count);
  const iovec first{parts[0].iov_base,
                    parts[0].iov_len ? static_cast<size_t>(half(parts[0].iov_len)) : 0};
  return call(file, &first, 1);
}

int fsync(int file) {
  REAL(fsync);
  return isBelow(file) && fails() ? -1 : call(file);
}

int fdatasync(int file) {
  REAL(fdatasync);
  return isBelow(file) && fails() ? -1 : call(file);
}

int ftruncate(int file, off_t size) {
  REAL(ftruncate);
  return isBelow(file) && fails() ? -1 : call(file, size);
}

int ftruncate64(int file, off64_t size) {
  return ftruncate(file, size);
}

int rename(const char* from, const char* to) {
  REAL(rename);
  return isBelow(to) && fails() ? -1 : call(from, to);
}

int mkdir(const char* path, mode_t mode) {
  REAL(mkdir);
  return isBelow(path) && fails() ? -1 : call(path, mode);
}

#define OPENING(name)                                                                    \
  int name(const char* path, int flags, ...) {                                           \
    REAL(name);                                                                          \
    mode_t mode = 0;                                                                     \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                 \
      va_list rest;                                                                      \
      va_start(rest, flags);                                                             \
      mode = va_arg(rest, mode_t);                                                       \
      va_end(rest);                                                                      \
    }                                                                                    \
    return (flags & O_CREAT) && isBelow(path) && fails() ? -1 : call(path, flags, mode); \
  }
OPENING(open)
OPENING(open64)
}
// NOLINTEND
