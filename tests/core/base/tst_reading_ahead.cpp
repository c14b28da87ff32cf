#include "core/base/reading_ahead.h"

#include <QTemporaryDir>
#include <fstream>

#include "core/base/page_cache.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_reading_ahead : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void bringsFilesIntoMemory();
  void endsWhenNobodyWaits();
  void leavesWhatIsNoFile();

 private:
  std::filesystem::path write(const char* name, std::size_t bytes) const {
    const std::filesystem::path path = m_folder.filePath(name).toStdString();
    std::ofstream(path, std::ios::binary) << std::string(bytes, 'x');
    return path;
  }
  QTemporaryDir m_folder;
};

void tst_reading_ahead::bringsFilesIntoMemory() {
  const auto first = write("first", 5'000'001);
  const auto second = write("second", 3'000'000);
  for (const auto& path : {first, second}) dropCachedPages(path);
  ReadingAhead ahead(
      {FileMap::open(first), FileMap::open(write("empty", 0)), FileMap::open(second)});
  ahead.wait();
  QCOMPARE(cachedShare(first), 1.0);
  QCOMPARE(cachedShare(second), 1.0);
}

void tst_reading_ahead::endsWhenNobodyWaits() {
  const auto path = write("long", 50'000'000);
  dropCachedPages(path);
  std::weak_ptr<const FileMap> map;
  {
    auto owner = FileMap::open(path);
    map = owner;
    const ReadingAhead ahead({std::move(owner)});
  }
  QVERIFY(map.expired());
}

void tst_reading_ahead::leavesWhatIsNoFile() {
  const auto memory = FileMap::inMemory(4096, [](std::span<std::byte>) {});
  ReadingAhead ahead({memory});
  ahead.wait();
  QCOMPARE(memory.use_count(), 1L);
}

EQUIPATCH_TEST(tst_reading_ahead)
#include "tst_reading_ahead.moc"
