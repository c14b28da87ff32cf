#include "core/backend/bench/cold_start.h"

#include "core/base/error.h"
#include "core/base/page_cache.h"
#include "core/base/temporary_folder.h"
#include "core/checkpoint/checkpoint.h"
#include "tests/support/disk_for_tests.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
namespace fs = std::filesystem;

class tst_cold_start : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void theCopyIsTheModel_data();
  void theCopyIsTheModel();
  void aFirstStepWarmsTheFile();

 private:
  static fs::path copy(const fs::path& place) {
    return fs::directory_iterator(place)->path();
  }
};

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
  const TemporaryFolder place;
  {
    const ColdStart start(*session, place.path());
    const Checkpoint copied = Checkpoint::open(copy(place.path()));
    QCOMPARE(copied.parameterCount(), session->parameterCount());
    QVERIFY(copied.unreadTensors().empty());
    for (const auto& [name, weight] : session->checkpoint().weights())
      QVERIFY(std::ranges::equal(weight.stored.bytes, copied.weight(name).stored.bytes));
  }
  QVERIFY(fs::is_empty(place.path()));
}

void tst_cold_start::aFirstStepWarmsTheFile() {
  const fs::path disk = equipatch::test::diskForTests();
  if (disk.empty()) QSKIP("all places for temporary files of this system lie in memory");
  SilentProgress silent;
  const auto session = Session::open(
      {.folder = test::data("golden/gemma3_text"), .weights = WeightOrigin::Random},
      silent);
  const TemporaryFolder place(disk);
  const ColdStart start(*session, place.path());
  const fs::path file = copy(place.path()) / "model.safetensors";
  start.cool();
  QVERIFY(cachedShare(file) < 0.5);
  start.firstStep();
  QVERIFY(cachedShare(file) > 0.9);
  start.cool();
  start.readFile();
  QCOMPARE(cachedShare(file), 1.0);
}

EQUIPATCH_TEST(tst_cold_start)
#include "tst_cold_start.moc"
