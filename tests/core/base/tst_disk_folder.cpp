#include "core/base/disk_folder.h"

#include <QTemporaryDir>
#include <fstream>

#include "core/base/page_cache.h"
#include "core/base/temporary_folder.h"
#include "tests/support/disk_for_tests.h"
#include "tests/support/test_case.h"

using namespace equipatch;
namespace fs = std::filesystem;

class tst_disk_folder : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void placesAreThisUsers();
  void filesThereCanBeCold();
  void memoryIsPassedOver();
  void everyRefusalIsExplained();

 private:
  static constexpr std::uintmax_t kLittle = 1 << 20;
  fs::path own() const { return m_folder.path().toStdString(); }
  QTemporaryDir m_folder;
};

void tst_disk_folder::placesAreThisUsers() {
  const QByteArray temporary = qgetenv("TMPDIR"), cache = qgetenv("XDG_CACHE_HOME");
  const auto restore = qScopeGuard([&] {
    temporary.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", temporary);
    cache.isNull() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", cache);
  });
  qputenv("TMPDIR", m_folder.path().toUtf8());
  qputenv("XDG_CACHE_HOME", "/home/me/cache");
  QVERIFY(
      (temporaryPlaces() == std::vector<fs::path>{own(), "/var/tmp", "/home/me/cache"}));
  qputenv("TMPDIR", "/nowhere");
  QVERIFY((temporaryPlaces() == std::vector<fs::path>{"/var/tmp", "/home/me/cache"}));
}

void tst_disk_folder::filesThereCanBeCold() {
  const fs::path place = equipatch::test::diskForTests();
  if (place.empty()) {
    QVERIFY_ERROR(folderOnDisk(temporaryPlaces(), kLittle),
                  "expected a folder on a disk");
    QSKIP("all places for temporary files of this system lie in memory");
  }
  const TemporaryFolder folder(place);
  const fs::path file = folder.path() / "file";
  std::ofstream(file, std::ios::binary) << std::string(8 * kLittle, 'x');
  dropCachedPages(file);
  QVERIFY2(cachedShare(file) < 0.5, place.c_str());
}

void tst_disk_folder::memoryIsPassedOver() {
  if (!fs::is_directory("/dev/shm")) QSKIP("this system has no /dev/shm");
  QVERIFY_ERROR(folderOnDisk({"/dev/shm"}, kLittle), "/dev/shm lies in memory", "TMPDIR");
  const fs::path fit = equipatch::test::diskForTests();
  if (fit.empty()) QSKIP("all places for temporary files of this system lie in memory");
  QCOMPARE(folderOnDisk({"/dev/shm", fit}, kLittle), fit);
}

void tst_disk_folder::everyRefusalIsExplained() {
  std::ofstream(own() / "file") << "text";
  QVERIFY_ERROR(folderOnDisk({"/nowhere/at/all", own() / "file" / "x", own()},
                             std::uintmax_t{1} << 62),
                "found none (/nowhere/at/all is no folder, ", "file/x is no folder",
                m_folder.path() + " has room for ", "TMPDIR");
}

EQUIPATCH_TEST(tst_disk_folder)
#include "tst_disk_folder.moc"
