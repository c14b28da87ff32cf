// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_map.h"

#include <sys/stat.h>
#include <unistd.h>
#include <QTemporaryDir>
#include <cstring>
#include <fstream>
#include <optional>

#include "core/base/temporary_folder.h"
#include "tests/support/disk_for_tests.h"
#include "tests/support/ordinary_rights.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_file_map : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void holdsTheBytesOfTheFile();
  void emptyFilesHaveNoBytes();
  void aRemovedFileRemainsReadable();
  void reportsAMissingFile();
  void acceptsOnlyRegularFilesWithinTheSizeLimit();
  void reportsMissingReadPermission();
  void releasedPagesAreReadAgain();
  void aFileInMemoryHoldsItsBytes();
  void partsCanBeReadWithoutTheMapping();
  void lostPagesReadAsZerosAndAreReported();
  void smallFilesAreReadWhole();

 private:
  std::filesystem::path path(const char* name) const {
    return m_folder.filePath(name).toStdString();
  }
  QTemporaryDir m_folder;

 private Q_SLOTS:
  void initTestCase();
  void aFileJustWrittenIsCached();
  void droppedPagesAreReadAgain();
  void cacheFunctionsNameAMissingFile();
  void readaheadCachesItsParts();
  void readaheadReleasesItsFiles();
  void readaheadCountsRepeatedPartsOnce();
  void readaheadNeedsEnoughKnownFreeMemory();

 private:
  std::filesystem::path write(const char* name, std::size_t bytes) const {
    const std::filesystem::path path = m_folder.filePath(name).toStdString();
    std::ofstream(path, std::ios::binary) << std::string(bytes, 'x');
    return path;
  }

  static constexpr const char* kNoDisk =
      "no folder for temporary files is on a disk with enough room";
  /// Writes a file and, if the file system allows it, drops its pages from the cache.
  std::shared_ptr<const FileMap> cold(const char* name, std::size_t bytes) const {
    const std::filesystem::path path = m_disk->path() / name;
    std::ofstream(path, std::ios::binary) << std::string(bytes, 'x');
    dropCachedPages(path);
    return FileMap::open(path);
  }
  static bool isCold(const FileMap& file) { return cachedShare(file.path()) == 0.0; }
  std::optional<TemporaryFolder> m_disk;
  bool m_canDropPages = false;
};

void tst_file_map::holdsTheBytesOfTheFile() {
  std::string content(10'000, '\0');
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 7);
  std::ofstream(path("a"), std::ios::binary) << content;
  const auto file = FileMap::open(path("a"));
  QCOMPARE(file->bytes().size(), content.size());
  QCOMPARE(file->text(), std::string_view(content.data(), content.size()));
  QVERIFY(std::memcmp(file->bytes().data(), content.data(), content.size()) == 0);
  QCOMPARE(file->path(), path("a"));
}

void tst_file_map::emptyFilesHaveNoBytes() {
  std::ofstream(path("empty")).flush();
  QVERIFY(FileMap::open(path("empty"))->bytes().empty());
}

void tst_file_map::aRemovedFileRemainsReadable() {
  std::ofstream(path("gone"), std::ios::binary) << "still here";
  const auto file = FileMap::open(path("gone"));
  std::filesystem::remove(path("gone"));
  QVERIFY(std::memcmp(file->bytes().data(), "still here", 10) == 0);
}

void tst_file_map::reportsAMissingFile() {
  QVERIFY_ERROR(FileMap::open(path("nowhere")), "nowhere", "no such file");
  std::ofstream(path("plain")).flush();
  QVERIFY_ERROR(FileMap::open(path("plain/inside")), "plain/inside", "no such file");
  QVERIFY_ERROR(FileMap::open(""), "no such file");
  QVERIFY_ERROR(FileMap::open(std::string(5000, 'x')), "cannot be read");
}

void tst_file_map::acceptsOnlyRegularFilesWithinTheSizeLimit() {
  QVERIFY_ERROR(FileMap::open(m_folder.path().toStdString()), "regular file", "folder");
  QVERIFY_ERROR(FileMap::open("/dev/zero"), "/dev/zero", "regular file");
  QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
  QVERIFY_ERROR(FileMap::open(path("pipe")), "pipe", "regular file");
  std::ofstream(path("sparse")).flush();
  std::filesystem::resize_file(path("sparse"), std::uintmax_t{1} << 33);
  QVERIFY_ERROR(FileMap::open(path("sparse"), 1000), "sparse", "8589934592 bytes",
                "1000");
}

void tst_file_map::reportsMissingReadPermission() {
  std::ofstream(path("secret")) << "x";
  std::filesystem::permissions(path("secret"), std::filesystem::perms::none);
  QVERIFY_ERROR(
      test::withOrdinaryRights([this] { return FileMap::open(path("secret")); }),
      "secret", "not permitted");
}

void tst_file_map::releasedPagesAreReadAgain() {
  const auto residentPages = [] {
    long total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident;
  };
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::string content(2000 * page, 'x');
  std::ofstream(path("large"), std::ios::binary) << content;
  const auto file = FileMap::open(path("large"));
  const auto equals = [&] {
    return std::memcmp(file->bytes().data(), content.data(), content.size()) == 0;
  };
  QVERIFY(equals());
  const long before = residentPages();
  file->release(file->bytes().subspan(1, 1900 * page));
  QVERIFY(residentPages() < before - 1500);
  QVERIFY(equals());
  // A part without a whole page, an empty part, and the file's last page.
  file->release(file->bytes().subspan(10, page));
  file->release(file->bytes().subspan(0, 0));
  file->release(file->bytes().subspan(1999 * page));
  QVERIFY(equals());
}

void tst_file_map::aFileInMemoryHoldsItsBytes() {
  const auto file = FileMap::inMemory(100'000, [](std::span<std::byte> bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i * 7);
  });
  QCOMPARE(file->bytes().size(), std::size_t{100'000});
  file->release(file->bytes());
  for (std::size_t i = 0; i < file->bytes().size(); i += 999)
    QCOMPARE(file->bytes()[i], std::byte(i * 7));
  QVERIFY(FileMap::inMemory(0, [](std::span<std::byte>) {})->bytes().empty());
  QVERIFY_ERROR(FileMap::inMemory(SIZE_MAX, [](std::span<std::byte>) {}), "memory");
}

void tst_file_map::partsCanBeReadWithoutTheMapping() {
  std::string content(100'000, '\0');
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 7);
  std::ofstream(path("read"), std::ios::binary) << content;
  const auto file = FileMap::open(path("read"));
  std::filesystem::rename(path("read"), path("renamed"));  // it stays the same file
  std::vector<std::byte> into(60'001);
  const auto part = file->bytes().subspan(1234, into.size());
  file->read(part, into);
  QVERIFY(std::memcmp(into.data(), content.data() + 1234, into.size()) == 0);
  file->dropCached(part);
  file->dropCached({});
  QVERIFY(std::memcmp(file->bytes().data(), content.data(), content.size()) == 0);
  const auto memory = FileMap::inMemory(
      into.size(), [&](std::span<std::byte> bytes) { file->read(part, bytes); });
  std::vector<std::byte> again(500);
  memory->read(memory->bytes().subspan(7, again.size()), again);
  QVERIFY(std::memcmp(again.data(), content.data() + 1234 + 7, again.size()) == 0);
  memory->dropCached(memory->bytes());

  std::filesystem::resize_file(path("renamed"), 50'000);
  QVERIFY_ERROR(file->read(part, into), "read: ends at byte 50000", "100000");
  for (const std::size_t size : {part.size() - 1, part.size() + 1}) {
    into.resize(size);
    QVERIFY_THROWS_EXCEPTION(std::logic_error, file->read(part, into));
  }
}

void tst_file_map::lostPagesReadAsZerosAndAreReported() {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (const char* name : {"shortened", "other"})
    std::ofstream(path(name), std::ios::binary) << std::string(10 * page, 'x');
  const auto other = FileMap::open(path("other"));
  for (int round = 0; round < 2; ++round) {  // round 1 reuses round 0's watch entry
    std::ofstream(path("shortened"), std::ios::binary) << std::string(10 * page, 'x');
    const auto file = FileMap::open(path("shortened"));
    QCOMPARE(file->text()[9 * page], 'x');
    std::filesystem::resize_file(path("shortened"), page);
    file->throwIfLost();  // no lost page was read yet
    QCOMPARE(file->text()[9 * page], '\0');
    QCOMPARE(file->text()[0], '\0');
    QVERIFY_ERROR(file->throwIfLost(), "shortened: a part of the file", "open it again");
    QCOMPARE(other->text()[9 * page], 'x');
    other->throwIfLost();
  }
}

void tst_file_map::smallFilesAreReadWhole() {
  const std::string content("some\0text", 9);
  std::ofstream(path("small"), std::ios::binary) << content;
  const std::string read = readFile(path("small"), 9);
  std::filesystem::resize_file(path("small"), 0);
  QCOMPARE(read, content);
  QCOMPARE(readFile(path("small"), 0), std::string());
  QVERIFY_ERROR(readFile(path("nowhere"), 9), "nowhere", "no such file");
  std::ofstream(path("small"), std::ios::binary) << content;
  QVERIFY_ERROR(readFile(path("small"), 8), "small", "9 bytes");
}

void tst_file_map::aFileJustWrittenIsCached() {
  QCOMPARE(cachedShare(write("new", 1'000'000)), 1.0);
  QCOMPARE(cachedShare(write("empty", 0)), 0.0);
}

void tst_file_map::droppedPagesAreReadAgain() {
  if (!m_canDropPages) QSKIP(kNoDisk);
  const std::filesystem::path path = m_disk->path() / "dropped";
  std::ofstream(path, std::ios::binary) << std::string(1'000'000, 'x');
  QCOMPARE(cachedShare(path), 1.0);
  dropCachedPages(path);
  QCOMPARE(cachedShare(path), 0.0);
  const auto map = FileMap::open(path);
  for (const std::byte byte : map->bytes()) QVERIFY(byte == std::byte('x'));
  QCOMPARE(cachedShare(path), 1.0);
}

void tst_file_map::cacheFunctionsNameAMissingFile() {
  QVERIFY_ERROR(dropCachedPages("/nowhere/file"), "/nowhere/file");
  QVERIFY_ERROR(cachedShare("/nowhere/file"), "/nowhere/file");
}

void tst_file_map::initTestCase() {
  const std::filesystem::path place = test::diskForTests();
  m_canDropPages = !place.empty();
  m_canDropPages ? m_disk.emplace(place) : m_disk.emplace();
}

void tst_file_map::readaheadCachesItsParts() {
  const auto first = cold("first", 5'000'001);
  const auto second = cold("second", 3'000'000);
  const auto unread = cold("unread", 3'000'000);
  if (!m_canDropPages) QSKIP(kNoDisk);
  QVERIFY(isCold(*first) && isCold(*second));
  Readahead ahead({{second, second->bytes()}, {first, first->bytes()}});
  ahead.wait();
  QCOMPARE(cachedShare(first->path()), 1.0);
  QCOMPARE(cachedShare(second->path()), 1.0);
  QVERIFY(isCold(*unread));
}

void tst_file_map::readaheadReleasesItsFiles() {
  std::weak_ptr<const FileMap> map;
  {
    auto owner = cold("long", 50'000'000);
    map = owner;
    std::vector<FilePart> parts{{owner, owner->bytes()}};
    owner.reset();
    const Readahead ahead(std::move(parts));
  }
  QVERIFY(map.expired());
}

/// Readahead reads nothing if its parts exceed half of the free memory.
void tst_file_map::readaheadCountsRepeatedPartsOnce() {
  const auto file = cold("twice", 3'000'000);
  if (!m_canDropPages) QSKIP(kNoDisk);
  QVERIFY(isCold(*file));
  Readahead ahead({{file, file->bytes()}, {file, file->bytes()}}, 6'000'000);
  ahead.wait();
  QCOMPARE(cachedShare(file->path()), 1.0);
}

void tst_file_map::readaheadNeedsEnoughKnownFreeMemory() {
  const auto file = cold("large", 3'000'000);
  if (!m_canDropPages) QSKIP(kNoDisk);
  QVERIFY(isCold(*file));
  for (const std::optional<std::int64_t> freeBytes :
       {std::optional<std::int64_t>(5'999'999), std::optional<std::int64_t>()}) {
    Readahead ahead({{file, file->bytes()}}, freeBytes);
    ahead.wait();
    QVERIFY(isCold(*file));
  }
}

EQUIPATCH_TEST(tst_file_map)
#include "tst_file_map.moc"
