// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/machine.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDateTime>
#include <QSysInfo>
#include <QTemporaryDir>
#include <cstddef>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "tests/support/test_case.h"

using namespace equipatch;

#if !defined(__has_feature)
#define __has_feature(name) 0  // Clang's test for sanitizers
#endif

namespace fs = std::filesystem;

namespace {

/// Whether malloc can keep freed memory; sanitizers replace glibc's malloc.
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || \
    defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer)
constexpr bool kCanRetain = false;
#else
constexpr bool kCanRetain = true;
#endif

std::string nameIn(const char* cpuinfo) {
  const QTemporaryDir folder;
  const std::filesystem::path root = folder.path().toStdString();
  std::filesystem::create_directory(root / "proc");
  std::ofstream(root / "proc/cpuinfo") << cpuinfo;
  return processorName(root);
}

class FakeSystem {
 public:
  void write(const char* name, const char* text) const {
    const fs::path file = root() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  fs::path root() const { return m_folder.path().toStdString(); }

 private:
  QTemporaryDir m_folder;
};

constexpr const char* kMemInfo =
    "MemTotal:       1000000 kB\nMemFree: 10 kB\nMemAvailable:    500000 kB\nHugePages: "
    "0\n";
constexpr std::int64_t kAvailable = 500000LL * 1024;

/// Whether the mapping of `address` has the flag for large pages ("hg"); empty if the
/// system lists no flags.
std::optional<bool> wantsLargePages(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> begin >> dash >> end && dash == '-')
      inside = begin <= at && at < end;
    if (inside && line.starts_with("VmFlags:"))
      return line.find(" hg") != std::string::npos;
  }
  return std::nullopt;
}

constexpr std::size_t kPage = 4096;
/// Without MallocRetention, glibc unmaps a freed block of this size.
constexpr std::size_t kKeptOnRequest = std::size_t{40} << 20;
/// After a MallocRetention, a block of this size comes from the heap. Its pages are new
/// only if the heap's free memory was returned to the system.
constexpr std::size_t kKeptAnyway = std::size_t{16} << 20;

long pageFaults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

/// Writes and frees a block. @returns whether its pages were new
bool usesNewPages(std::size_t size) {
  const long before = pageFaults();
  {
    const auto memory = std::make_unique_for_overwrite<volatile std::byte[]>(size);
    for (std::size_t at = 0; at < size; at += kPage) memory[at] = std::byte{1};
  }
  // A large page of 2 MiB takes one fault for 512 pages.
  return pageFaults() - before > static_cast<long>(size / kPage / 600);
}

}  // namespace

class tst_machine : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void timeIsUtc();
  void zombiesAndEndedProcessesDoNotRun();
  void processorNameIsOneLine();
  void processorNameIsTheModel();
  void processorWithoutModelIsNamedByArchitecture();
  void thisMachineHasAvailableMemory();
  void peakIncludesFreedMemory();
  void availableMemoryIsMemAvailable();
  void controlGroupLimitsAvailableMemory();
  void parentGroupsLimitAvailableMemory();
  void version1GroupsLimitAvailableMemory();
  void malformedFilesAreIgnored();
  void largePagesAreRequested();
  void largePagesKeepContent();
  void largePagesNeedAWholePage();
  void retentionReusesFreedMemory();
  void memoryIsReturnedAfterRetention();
};

void tst_machine::zombiesAndEndedProcessesDoNotRun() {
  QVERIFY(isRunning(::getpid()) && isRunning(1));
  QVERIFY(!isRunning(0) && !isRunning(-1) && !isRunning(std::int64_t{1} << 40));
  int ends[2];  // the child runs until this process closes the pipe
  QCOMPARE(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[1]);
    char byte = 0;
    ::_exit(int(::read(ends[0], &byte, 1)));
  }
  QVERIFY(child > 0);
  QVERIFY(isRunning(child));
  ::close(ends[0]);
  ::close(ends[1]);
  QTRY_VERIFY(!isRunning(child));  // a zombie until waitpid
  QCOMPARE(::kill(child, 0), 0);
  QCOMPARE(::waitpid(child, nullptr, 0), child);
  QVERIFY(!isRunning(child));
}

void tst_machine::timeIsUtc() {
  const QString text = QString::fromStdString(utcNow());
  const QDateTime time = QDateTime::fromString(text, Qt::ISODate);
  QVERIFY2(time.isValid() && text.endsWith('Z'), qPrintable(text));
  QVERIFY(std::abs(time.secsTo(QDateTime::currentDateTimeUtc())) <= 60);
}

void tst_machine::processorNameIsOneLine() {
  const std::string name = processorName();
  QCOMPARE(name.find('\n'), std::string::npos);
  QVERIFY(!name.empty() && !name.starts_with(' '));
}

void tst_machine::processorNameIsTheModel() {
  QCOMPARE(nameIn("processor\t: 0\nmodel\t\t: 85\nmodel name\t: Abacus 9 @ 1 Hz\n"),
           std::string("Abacus 9 @ 1 Hz"));
}

void tst_machine::processorWithoutModelIsNamedByArchitecture() {
  const std::string kind = QSysInfo::currentCpuArchitecture() == "arm64"
                               ? "aarch64"
                               : QSysInfo::currentCpuArchitecture().toStdString();
  QCOMPARE(nameIn("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"), kind);
}

void tst_machine::thisMachineHasAvailableMemory() {
  const auto free = availableMemory();
  QVERIFY(free);
  QVERIFY(*free > 1 << 20);
}

void tst_machine::availableMemoryIsMemAvailable() {
  const FakeSystem system;
  QVERIFY(!availableMemory(system.root()));
  system.write("proc/meminfo", kMemInfo);
  QCOMPARE(availableMemory(system.root()).value(), kAvailable);
}

void tst_machine::controlGroupLimitsAvailableMemory() {
  const FakeSystem system;
  system.write("proc/meminfo", kMemInfo);
  system.write("proc/self/cgroup", "0::/box\n");
  system.write("sys/fs/cgroup/box/memory.max", "3000000\n");
  system.write("sys/fs/cgroup/box/memory.current", "1000000\n");
  QCOMPARE(availableMemory(system.root()).value(), 2000000);
  system.write("sys/fs/cgroup/box/memory.stat", "anon 5\ninactive_file 400000\n");
  QCOMPARE(availableMemory(system.root()).value(), 2400000);
  system.write("sys/fs/cgroup/box/memory.max", "max\n");
  QCOMPARE(availableMemory(system.root()).value(), kAvailable);
  system.write("sys/fs/cgroup/box/memory.max", "1000\n");  // below the current usage
  QCOMPARE(availableMemory(system.root()).value(), 0);
}

void tst_machine::parentGroupsLimitAvailableMemory() {
  const FakeSystem system;
  system.write("proc/meminfo", kMemInfo);
  system.write("proc/self/cgroup", "0::/box/inner\n");
  system.write("sys/fs/cgroup/box/inner/memory.max", "max\n");
  system.write("sys/fs/cgroup/box/memory.max", "70000\n");
  system.write("sys/fs/cgroup/box/memory.current", "10000\n");
  QCOMPARE(availableMemory(system.root()).value(), 60000);
}

void tst_machine::version1GroupsLimitAvailableMemory() {
  const FakeSystem system;
  system.write("proc/meminfo", kMemInfo);
  // In a container only the top of the group's hierarchy is visible.
  system.write("proc/self/cgroup", "5:cpu:/a\n4:hugetlb,memory:/docker/1234\n");
  system.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "90000\n");
  system.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "50000\n");
  system.write("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 1000\n");
  QCOMPARE(availableMemory(system.root()).value(), 41000);
}

void tst_machine::malformedFilesAreIgnored() {
  const FakeSystem system;
  system.write("proc/meminfo", "MemAvailable: lots kB\n");
  QVERIFY(!availableMemory(system.root()));
  system.write("proc/meminfo", "MemAvailable: 9223372036854775807 kB\n");
  QVERIFY(!availableMemory(system.root()));
  system.write("proc/meminfo", kMemInfo);
  system.write("proc/self/cgroup", "0::/../../../..\nrubbish\n::\n");
  QCOMPARE(availableMemory(system.root()).value(), kAvailable);
}

void tst_machine::peakIncludesFreedMemory() {
  constexpr std::size_t kSize = std::size_t{64} << 20;
  const std::int64_t before = peakMemory().value();
  QVERIFY(before > 0);
  {
    std::vector<char> memory(kSize, 1);
    QVERIFY(memory[kSize / 2] == 1);
  }
  QVERIFY(peakMemory().value() >= static_cast<std::int64_t>(kSize));
  QVERIFY(peakMemory().value() >= before);
  const FakeSystem system;
  QVERIFY(!peakMemory(system.root()));
  system.write("proc/self/status", "Name: x\nVmHWM:\t    2 kB\n");
  QCOMPARE(peakMemory(system.root()).value(), 2048);
}

void tst_machine::largePagesAreRequested() {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"))
    QSKIP("this system has no large pages");
  constexpr std::size_t kSize = std::size_t{16} << 20;
  const auto memory = std::make_unique_for_overwrite<std::byte[]>(kSize);
  preferLargePages({memory.get(), kSize});
  const auto wanted = wantsLargePages(memory.get() + kSize / 2);
  if (!wanted) QSKIP("this system does not list the flags of memory");
  QVERIFY(*wanted);
}

void tst_machine::largePagesKeepContent() {
  constexpr std::size_t kSize = std::size_t{8} << 20;
  const auto memory = std::make_unique<unsigned char[]>(kSize);
  for (std::size_t i = 0; i < kSize; ++i) memory[i] = static_cast<unsigned char>(i * 31);
  preferLargePages(std::as_bytes(std::span(memory.get(), kSize)));
  for (std::size_t i = 0; i < kSize; i += 4099)
    QCOMPARE(memory[i], static_cast<unsigned char>(i * 31));
}

void tst_machine::largePagesNeedAWholePage() {
  constexpr std::size_t kSize = std::size_t{1} << 20;
  const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  // A separate mapping, on which no other code has called madvise.
  const auto unmap = [](void* memory) { ::munmap(memory, kSize); };
  const std::unique_ptr<void, decltype(unmap)> memory(
      ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      unmap);
  QVERIFY(memory.get() != MAP_FAILED);
  auto* bytes = static_cast<std::byte*>(memory.get());
  preferLargePages({});
  preferLargePages({bytes + 1, 2 * page - 2});  // no whole page
  const auto wanted = wantsLargePages(bytes);
  if (!wanted) QSKIP("this system does not list the flags of memory");
  QVERIFY(!*wanted);
}

void tst_machine::retentionReusesFreedMemory() {
  if (!kCanRetain) QSKIP("this malloc cannot keep freed memory");
  usesNewPages(kKeptOnRequest);
  QVERIFY(usesNewPages(kKeptOnRequest));
  const MallocRetention keeps;
  usesNewPages(kKeptOnRequest);
  QVERIFY(!usesNewPages(kKeptOnRequest));
}

void tst_machine::memoryIsReturnedAfterRetention() {
  if (qEnvironmentVariableIsSet("EQUIPATCH_EMULATED"))
    QSKIP("qemu keeps the pages of a heap that shrinks");
  if (!kCanRetain) QSKIP("this malloc cannot keep freed memory");
  {
    const MallocRetention keeps;
    { const MallocRetention inner; }
    usesNewPages(kKeptOnRequest);
    QVERIFY(!usesNewPages(kKeptOnRequest));  // `keeps` still exists
  }
  QVERIFY(usesNewPages(kKeptAnyway));
}

EQUIPATCH_TEST(tst_machine)
#include "tst_machine.moc"
