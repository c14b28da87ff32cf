// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/page_cache.h"

#include <QTemporaryDir>
#include <fstream>
#include <optional>

#include "core/base/file_map.h"
#include "core/base/temporary_folder.h"
#include "tests/support/disk_for_tests.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_page_cache : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void aFileJustWrittenIsCached();
  void droppedPagesAreReadAgain();
  void missingFilesAreNamed();
  void readingAheadCachesItsParts();
  void readingAheadReleasesItsFiles();
  void repeatedPartsAreReadOnce();
  void partsBeyondFreeMemoryAreNotRead();

 private:
  std::filesystem::path write(const char* name, std::size_t bytes) const {
    const std::filesystem::path path = m_plainFolder.filePath(name).toStdString();
    std::ofstream(path, std::ios::binary) << std::string(bytes, 'x');
    return path;
  }
  QTemporaryDir m_plainFolder;

  static constexpr const char* kNoDisk =
      "all places for temporary files of this system lie in memory";
  /// Writes a file. Its pages are not cached if the file system can drop them.
  std::shared_ptr<const FileMap> cold(const char* name, std::size_t bytes) const {
    const std::filesystem::path path = m_folder->path() / name;
    std::ofstream(path, std::ios::binary) << std::string(bytes, 'x');
    dropCachedPages(path);
    return FileMap::open(path);
  }
  static bool isCold(const FileMap& file) { return cachedShare(file.path()) == 0.0; }
  std::optional<TemporaryFolder> m_folder;
  bool m_canDropPages = false;
};

void tst_page_cache::aFileJustWrittenIsCached() {
  QCOMPARE(cachedShare(write("new", 1'000'000)), 1.0);
  QCOMPARE(cachedShare(write("empty", 0)), 0.0);
}

void tst_page_cache::droppedPagesAreReadAgain() {
  const std::filesystem::path place = test::diskForTests();
  if (place.empty()) QSKIP(kNoDisk);
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

void tst_page_cache::initTestCase() {
  const std::filesystem::path place = test::diskForTests();
  m_canDropPages = !place.empty();
  m_canDropPages ? m_folder.emplace(place) : m_folder.emplace();
}

void tst_page_cache::readingAheadCachesItsParts() {
  const auto first = cold("first", 5'000'001);
  const auto second = cold("second", 3'000'000);
  const auto unread = cold("unread", 3'000'000);
  if (!m_canDropPages) QSKIP(kNoDisk);
  QVERIFY(isCold(*first) && isCold(*second));
  ReadingAhead ahead({{second, second->bytes()}, {first, first->bytes()}});
  ahead.wait();
  QCOMPARE(cachedShare(first->path()), 1.0);
  QCOMPARE(cachedShare(second->path()), 1.0);
  QVERIFY(isCold(*unread));
}

void tst_page_cache::readingAheadReleasesItsFiles() {
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

void tst_page_cache::repeatedPartsAreReadOnce() {
  const auto file = cold("twice", 3'000'000);
  if (!m_canDropPages) QSKIP(kNoDisk);
  QVERIFY(isCold(*file));
  ReadingAhead ahead({{file, file->bytes()}, {file, file->bytes()}}, 6'000'000);
  ahead.wait();
  QCOMPARE(cachedShare(file->path()), 1.0);
}

void tst_page_cache::partsBeyondFreeMemoryAreNotRead() {
  const auto file = cold("large", 3'000'000);
  if (!m_canDropPages) QSKIP(kNoDisk);
  QVERIFY(isCold(*file));
  for (const std::optional<std::int64_t> freeBytes :
       {std::optional<std::int64_t>(5'999'999), std::optional<std::int64_t>()}) {
    ReadingAhead ahead({{file, file->bytes()}}, freeBytes);
    ahead.wait();
    QVERIFY(isCold(*file));
  }
}

EQUIPATCH_TEST(tst_page_cache)
#include "tst_page_cache.moc"
