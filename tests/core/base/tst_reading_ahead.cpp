#include "core/base/reading_ahead.h"

#include <fstream>
#include <optional>

#include "core/base/page_cache.h"
#include "core/base/temporary_folder.h"
#include "tests/support/disk_for_tests.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_reading_ahead : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void bringsPartsIntoMemory();
  void endsBeforeItsFiles();
  void whatIsNamedTwiceIsReadOnce();
  void leavesWhatDoesNotFit();

 private:
  static constexpr const char* kInMemory =
      "all places for temporary files of this system lie in memory";
  /// A file of which nothing is in memory, if the file system can forget.
  std::shared_ptr<const FileMap> cold(const char* name, std::size_t bytes) const {
    const std::filesystem::path path = m_folder->path() / name;
    std::ofstream(path, std::ios::binary) << std::string(bytes, 'x');
    dropCachedPages(path);
    return FileMap::open(path);
  }
  static bool isCold(const FileMap& file) { return cachedShare(file.path()) == 0.0; }
  std::optional<TemporaryFolder> m_folder;
  bool m_canForget = false;
};

void tst_reading_ahead::initTestCase() {
  const std::filesystem::path place = test::diskForTests();
  m_canForget = !place.empty();
  m_canForget ? m_folder.emplace(place) : m_folder.emplace();
}

void tst_reading_ahead::bringsPartsIntoMemory() {
  const auto first = cold("first", 5'000'001);
  const auto second = cold("second", 3'000'000);
  const auto unread = cold("unread", 3'000'000);
  if (!m_canForget) QSKIP(kInMemory);
  QVERIFY(isCold(*first) && isCold(*second));
  ReadingAhead ahead({{second, second->bytes()}, {first, first->bytes()}});
  ahead.wait();
  QCOMPARE(cachedShare(first->path()), 1.0);
  QCOMPARE(cachedShare(second->path()), 1.0);
  QVERIFY(isCold(*unread));
}

void tst_reading_ahead::endsBeforeItsFiles() {
  std::weak_ptr<const FileMap> map;
  {
    auto owner = cold("long", 50'000'000);
    map = owner;
    std::vector<FilePart> parts{{owner, owner->bytes()}};
    owner.reset();
    const ReadingAhead ahead(std::move(parts));
  }
  QVERIFY(map.expired());
}

void tst_reading_ahead::whatIsNamedTwiceIsReadOnce() {
  const auto file = cold("twice", 3'000'000);
  if (!m_canForget) QSKIP(kInMemory);
  QVERIFY(isCold(*file));
  ReadingAhead ahead({{file, file->bytes()}, {file, file->bytes()}}, 6'000'000);
  ahead.wait();
  QCOMPARE(cachedShare(file->path()), 1.0);
}

void tst_reading_ahead::leavesWhatDoesNotFit() {
  const auto file = cold("large", 3'000'000);
  if (!m_canForget) QSKIP(kInMemory);
  QVERIFY(isCold(*file));
  for (const std::optional<std::int64_t> freeBytes :
       {std::optional<std::int64_t>(5'999'999), std::optional<std::int64_t>()}) {
    ReadingAhead ahead({{file, file->bytes()}}, freeBytes);
    ahead.wait();
    QVERIFY(isCold(*file));
  }
}

EQUIPATCH_TEST(tst_reading_ahead)
#include "tst_reading_ahead.moc"
