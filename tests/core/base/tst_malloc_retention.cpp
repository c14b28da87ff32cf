#include "core/base/malloc_retention.h"

#include <sys/resource.h>

#include <cstddef>
#include <memory>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kSize = std::size_t{16} << 20;

/// How often the system had to find memory for what was written to.
long pageFaults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

/// Page faults of some megabytes that are written to and freed.
long faultsOfOneUse() {
  const long before = pageFaults();
  {
    const auto memory = std::make_unique_for_overwrite<volatile std::byte[]>(kSize);
    for (std::size_t at = 0; at < kSize; at += kPage) memory[at] = std::byte{1};
  }
  return pageFaults() - before;
}

}  // namespace

class tst_malloc_retention : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void isUsedAgain();
  void isHandedBackAfterwards();
};

void tst_malloc_retention::isUsedAgain() {
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  QSKIP("this C library cannot be told to keep what is freed");
#endif
  const MallocRetention keeps;
  const long first = faultsOfOneUse();
  const long second = faultsOfOneUse();
  QVERIFY2(second < 100, qPrintable(QString::number(second)));
  QVERIFY(second <= first);
}

/// The process gets smaller when the last one goes.
void tst_malloc_retention::isHandedBackAfterwards() {
  if (qEnvironmentVariableIsSet("EQUIPATCH_EMULATED"))
    QSKIP("qemu keeps the pages of a heap that shrinks");
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  QSKIP("this C library cannot be told to keep what is freed");
#endif
  {
    const MallocRetention keeps;
    { const MallocRetention inner; }
    faultsOfOneUse();
    QVERIFY(faultsOfOneUse() < 100);  // the outer one goes on
  }
  // Fresh pages again: the freed ones are the system's.
  const long pages = static_cast<long>(kSize / kPage);
  const long faults = faultsOfOneUse();
  QVERIFY2(faults > pages / 600, qPrintable(QString::number(faults)));  // large pages too
}

EQUIPATCH_TEST(tst_malloc_retention)
#include "tst_malloc_retention.moc"
