// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/machine.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>  // defines __GLIBC__
#include <ctime>
#include <fstream>
#include <limits>
#include <string>

#include "core/base/number_from.h"

#if defined(__GLIBC__)
#include <malloc.h>

#include <mutex>
#endif

namespace equipatch {

std::string processorName(const std::filesystem::path& root) {
  std::ifstream info(root / "proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      if (const std::size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  utsname system{};
  return ::uname(&system) == 0 ? system.machine : std::string();
}

std::string utcNow() {
  const std::time_t now =
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[sizeof "2026-11-21T08:30:00Z"] = {};
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

bool isRunning(std::int64_t process) {
  if (process <= 0 || process > std::numeric_limits<pid_t>::max()) return false;
  if (::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH) return false;
  std::ifstream status("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(status, line);
  // "42 (name) Z …"; the name may contain anything. Without /proc the line is empty.
  const std::size_t name = line.rfind(')');
  const bool hasState = name != std::string::npos && name + 2 < line.size();
  return !hasState || (line[name + 2] != 'Z' && line[name + 2] != 'X');
}

namespace {

namespace fs = std::filesystem;
using Bytes = std::optional<std::int64_t>;

constexpr std::int64_t kKibi = 1024;

/// Bounds the walk from a control group to its parents; real nesting is less deep.
constexpr int kDeepestGroup = 32;

Bytes parse(const std::string& text) {
  const Bytes value = numberFrom<std::int64_t>(text);
  return value && *value >= 0 ? value : std::nullopt;  // empty also for "max"
}

Bytes numberIn(const fs::path& file) {
  std::ifstream stream(file);
  std::string word;
  if (!(stream >> word)) return std::nullopt;
  return parse(word);
}

/// The number after a label in a file of lines "label number …".
Bytes labelled(const fs::path& file, const std::string& label) {
  std::ifstream stream(file);
  std::string word;
  std::string number;
  std::string rest;
  while (stream >> word >> number) {
    if (word == label) return parse(number);
    std::getline(stream, rest);
  }
  return std::nullopt;
}

struct GroupFiles {
  const char* limit;
  const char* used;
  const char* droppable;  ///< label in memory.stat
};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file"};

/// The least memory that the group and its parents up to `top` leave free.
Bytes leftByGroups(const fs::path& top, const fs::path& group, const GroupFiles& files) {
  Bytes least;
  fs::path folder = (top / group.relative_path()).lexically_normal();
  for (int depth = 0; depth < kDeepestGroup; ++depth) {
    const Bytes limit = numberIn(folder / files.limit);
    const Bytes used = numberIn(folder / files.used);
    if (limit && used) {
      const Bytes droppable = labelled(folder / "memory.stat", files.droppable);
      const std::int64_t inUse = std::max<std::int64_t>(0, *used - droppable.value_or(0));
      const std::int64_t left = std::max<std::int64_t>(0, *limit - inUse);
      least = std::min(left, least.value_or(left));
    }
    if (folder == top.lexically_normal() || !folder.has_relative_path()) break;
    folder = folder.parent_path();
  }
  return least;
}

/// Lines of /proc/self/cgroup: "0::/user.slice" (version 2), "4:memory:/docker/1" (1).
Bytes leftByControl(const fs::path& root) {
  std::ifstream stream(root / "proc/self/cgroup");
  Bytes least;
  std::string line;
  while (std::getline(stream, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    Bytes left;
    if (controllers.empty())
      left = leftByGroups(root / "sys/fs/cgroup", group, kVersion2);
    else if (("," + controllers + ",").find(",memory,") != std::string::npos)
      left = leftByGroups(root / "sys/fs/cgroup/memory", group, kVersion1);
    if (left) least = std::min(*left, least.value_or(*left));
  }
  return least;
}

}  // namespace

Bytes availableMemory(const fs::path& root) {
  const Bytes system = labelled(root / "proc/meminfo", "MemAvailable:");
  const Bytes control = leftByControl(root);
  if (!system || *system > INT64_MAX / kKibi) return control;
  return std::min(*system * kKibi, control.value_or(INT64_MAX));
}

Bytes peakMemory(const fs::path& root) {
  const Bytes peak = labelled(root / "proc/self/status", "VmHWM:");
  if (!peak || *peak > INT64_MAX / kKibi) return std::nullopt;
  return *peak * kKibi;
}

void preferLargePages(std::span<const std::byte> memory) {
#if defined(MADV_HUGEPAGE)
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + memory.size()) / page * page;
  if (first < last)
    ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#else
  static_cast<void>(memory);
#endif
}

#if defined(__GLIBC__)

namespace {

constexpr int kMiB = 1 << 20;

/// Allocations of `large` bytes or more become separate mappings; malloc returns
/// memory to the system once more than `kept` bytes are free at the heap's end.
void setLimits(int large, int kept) {
  ::mallopt(M_MMAP_THRESHOLD, large);
  ::mallopt(M_TRIM_THRESHOLD, kept);
}

std::mutex& mutex() {
  static std::mutex only;
  return only;
}

int& living() {
  static int count = 0;
  return count;
}

}  // namespace

MallocRetention::MallocRetention() {
  const std::scoped_lock lock(mutex());
  if (living()++ == 0) setLimits(1024 * kMiB, 2047 * kMiB);
}

// Once mallopt has set the limits, glibc no longer adjusts them. 32 and 64 MiB are the
// largest values that its own adjustment reaches.
MallocRetention::~MallocRetention() {
  const std::scoped_lock lock(mutex());
  if (--living() > 0) return;
  setLimits(32 * kMiB, 64 * kMiB);
  ::malloc_trim(0);
}

#else

MallocRetention::MallocRetention() = default;
MallocRetention::~MallocRetention() = default;

#endif

}  // namespace equipatch
