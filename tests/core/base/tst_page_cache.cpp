#include "core/base/page_cache.h"

#include <QTemporaryDir>
#include <fstream>

#include "core/base/file_map.h"
#include "core/base/temporary_folder.h"
#include "tests/support/disk_for_tests.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_page_cache : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aFileJustWrittenIsCached();
  void itsContentComesBack();
  void missingFilesAreNamed();

 private:
  std::filesystem::path write(const char* name, std::size_t bytes) const {
    const std::filesystem::path path = m_folder.filePath(name).toStdString();
    std::ofstream(path, std::ios::binary) << std::string(bytes, 'x');
    return path;
  }
  QTemporaryDir m_folder;
};

void tst_page_cache::aFileJustWrittenIsCached() {
  QCOMPARE(cachedShare(write("new", 1'000'000)), 1.0);
  QCOMPARE(cachedShare(write("empty", 0)), 0.0);
}

void tst_page_cache::itsContentComesBack() {
  const std::filesystem::path place = test::diskForTests();
  if (place.empty()) QSKIP("all places for temporary files of this system lie in memory");
  const TemporaryFolder folder(place);
  const std::filesystem::path path = folder.path() / "dropped";
  std::ofstream(path, std::ios::binary) << std::string(1'000'000, 'x');
  QCOMPARE(cachedShare(path), 1.0);
  dropCachedPages(path);
  QCOMPARE(cachedShare(path), 0.0);
  const auto map = FileMap::open(path);
  for (const std::byte byte : map->bytes()) QVERIFY(byte == std::byte('x'));
  QCOMPARE(cachedShare(path), 1.0);
}

void tst_page_cache::missingFilesAreNamed() {
  QVERIFY_ERROR(dropCachedPages("/nowhere/file"), "/nowhere/file");
  QVERIFY_ERROR(cachedShare("/nowhere/file"), "/nowhere/file");
}

EQUIPATCH_TEST(tst_page_cache)
#include "tst_page_cache.moc"
