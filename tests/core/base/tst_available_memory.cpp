#include "core/base/available_memory.h"

#include <QTemporaryDir>
#include <fstream>

#include "tests/support/test_case.h"

using namespace equipatch;
namespace fs = std::filesystem;

namespace {

/// A made-up root of proc and sys.
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

}  // namespace

class tst_available_memory : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void thisMachineHasSome();
  void thePeakRemembersWhatWasFreed();
  void isWhatTheSystemCallsAvailable();
  void aGroupMayLeaveLess();
  void groupsAroundItCountToo();
  void theOlderGroupsCountToo();
  void nonsenseIsNoNumber();
};

void tst_available_memory::thisMachineHasSome() {
  const auto free = availableMemory();
  QVERIFY(free);
  QVERIFY(*free > 1 << 20);
}

void tst_available_memory::isWhatTheSystemCallsAvailable() {
  const FakeSystem system;
  QVERIFY(!availableMemory(system.root()));
  system.write("proc/meminfo", kMemInfo);
  QCOMPARE(availableMemory(system.root()).value(), kAvailable);
}

void tst_available_memory::aGroupMayLeaveLess() {
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
  system.write("sys/fs/cgroup/box/memory.max", "1000\n");  // lowered under what is used
  QCOMPARE(availableMemory(system.root()).value(), 0);
}

void tst_available_memory::groupsAroundItCountToo() {
  const FakeSystem system;
  system.write("proc/meminfo", kMemInfo);
  system.write("proc/self/cgroup", "0::/box/inner\n");
  system.write("sys/fs/cgroup/box/inner/memory.max", "max\n");
  system.write("sys/fs/cgroup/box/memory.max", "70000\n");
  system.write("sys/fs/cgroup/box/memory.current", "10000\n");
  QCOMPARE(availableMemory(system.root()).value(), 60000);
}

void tst_available_memory::theOlderGroupsCountToo() {
  const FakeSystem system;
  system.write("proc/meminfo", kMemInfo);
  // In a container the group's own path is not to be seen; its top is.
  system.write("proc/self/cgroup", "5:cpu:/a\n4:hugetlb,memory:/docker/1234\n");
  system.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "90000\n");
  system.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "50000\n");
  system.write("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 1000\n");
  QCOMPARE(availableMemory(system.root()).value(), 41000);
}

void tst_available_memory::nonsenseIsNoNumber() {
  const FakeSystem system;
  system.write("proc/meminfo", "MemAvailable: lots kB\n");
  QVERIFY(!availableMemory(system.root()));
  system.write("proc/meminfo", "MemAvailable: 9223372036854775807 kB\n");
  QVERIFY(!availableMemory(system.root()));
  system.write("proc/meminfo", kMemInfo);
  system.write("proc/self/cgroup", "0::/../../../..\nrubbish\n::\n");
  QCOMPARE(availableMemory(system.root()).value(), kAvailable);
}

void tst_available_memory::thePeakRemembersWhatWasFreed() {
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

EQUIPATCH_TEST(tst_available_memory)
#include "tst_available_memory.moc"
