#include "core/backend/bench/cold_start.h"

#include <QTemporaryDir>
#include <fstream>

#include "core/base/error.h"
#include "core/base/page_cache.h"
#include "core/checkpoint/checkpoint.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
namespace fs = std::filesystem;

class tst_cold_start : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void theCopyIsTheModel_data();
  void theCopyIsTheModel();
  void aFirstStepWarmsTheFile();
  void memoryIsNoDisk();

 private:
  fs::path copy() const {
    return fs::directory_iterator(m_temporary->path().toStdString())->path();
  }
  QByteArray m_before;
  std::unique_ptr<QTemporaryDir> m_temporary;
};

void tst_cold_start::init() {
  m_before = qgetenv("TMPDIR");
  m_temporary = std::make_unique<QTemporaryDir>();
  qputenv("TMPDIR", m_temporary->path().toLocal8Bit());
}

void tst_cold_start::cleanup() {
  m_before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", m_before);
}

void tst_cold_start::theCopyIsTheModel_data() {
  QTest::addColumn<WeightOrigin>("origin");
  QTest::newRow("of files") << WeightOrigin::Files;
  QTest::newRow("drawn") << WeightOrigin::Random;
}

void tst_cold_start::theCopyIsTheModel() {
  QFETCH(WeightOrigin, origin);
  SilentProgress silent;
  const auto session =
      Session::open({.folder = test::data("golden/gpt2"), .weights = origin}, silent);
  {
    const ColdStart start(*session);
    const Checkpoint copied = Checkpoint::open(copy());
    QCOMPARE(copied.parameterCount(), session->parameterCount());
    QVERIFY(copied.unreadTensors().empty());
    for (const auto& [name, weight] : session->checkpoint().weights())
      QVERIFY(std::ranges::equal(weight.stored.bytes, copied.weight(name).stored.bytes));
  }
  QVERIFY(fs::is_empty(m_temporary->path().toStdString()));
}

void tst_cold_start::aFirstStepWarmsTheFile() {
  SilentProgress silent;
  const auto session = Session::open(
      {.folder = test::data("golden/gemma3_text"), .weights = WeightOrigin::Random},
      silent);
  const ColdStart start(*session);
  const fs::path file = copy() / "model.safetensors";
  start.cool();
  start.firstStep();
  QVERIFY(cachedShare(file) > 0.9);
  start.cool();
  start.readFile();
  QCOMPARE(cachedShare(file), 1.0);
}

void tst_cold_start::memoryIsNoDisk() {
  if (!fs::is_directory("/dev/shm")) QSKIP("this system has no /dev/shm");
  qputenv("TMPDIR", "/dev/shm");
  QVERIFY_ERROR(requireTemporaryFilesOnDisk(), "/dev/shm", "TMPDIR");
}

EQUIPATCH_TEST(tst_cold_start)
#include "tst_cold_start.moc"
