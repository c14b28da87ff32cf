// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_folder.h"

#include <QTemporaryDir>
#include <fstream>

#include "core/base/file_map.h"
#include "tests/support/changed_environment.h"
#include "tests/support/disk_for_tests.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace fs = std::filesystem;

class tst_temporary_folder : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void isEmptyAndPrivate();
  void isRemovedWithItsContent();
  void isMadeInTmpdir();
  void liesInTheGivenFolder();
  void placesComeFromTheEnvironment();
  void cachedPagesCanBeDropped();
  void placesInMemoryAreSkipped();
  void errorsGiveAReasonForEachPlace();

 private:
  static constexpr std::uintmax_t kMebibyte = 1 << 20;
  fs::path own() const { return m_folder.path().toStdString(); }
  QTemporaryDir m_folder;
};

void tst_temporary_folder::isEmptyAndPrivate() {
  const TemporaryFolder folder, other;
  QVERIFY(fs::is_directory(folder.path()) && fs::is_empty(folder.path()));
  QVERIFY(folder.path() != other.path());
  QVERIFY(fs::status(folder.path()).permissions() == fs::perms::owner_all);
}

void tst_temporary_folder::isRemovedWithItsContent() {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    fs::create_directories(path / "a/b");
    std::ofstream(path / "a/b/c") << "text";
  }
  QVERIFY(!fs::exists(path));
}

void tst_temporary_folder::isMadeInTmpdir() {
  const QTemporaryDir there;
  test::ChangedEnvironment environment("TMPDIR", there.path().toLocal8Bit());
  QCOMPARE(TemporaryFolder().path().parent_path(), fs::path(there.path().toStdString()));
  environment.set("TMPDIR", "/nowhere");
  QVERIFY_ERROR(TemporaryFolder(), "TMPDIR");
}

void tst_temporary_folder::liesInTheGivenFolder() {
  const QTemporaryDir there;
  const fs::path parent = there.path().toStdString();
  QCOMPARE(TemporaryFolder(parent).path().parent_path(), parent);
  QVERIFY(fs::is_empty(parent));
  QVERIFY_ERROR(TemporaryFolder("/nowhere"), "/nowhere");
}

void tst_temporary_folder::placesComeFromTheEnvironment() {
  test::ChangedEnvironment environment("TMPDIR", m_folder.path().toUtf8());
  environment.set("XDG_CACHE_HOME", "/home/me/cache");
  QVERIFY(
      (temporaryPlaces() == std::vector<fs::path>{own(), "/var/tmp", "/home/me/cache"}));
  environment.set("TMPDIR", "/nowhere");
  QVERIFY((temporaryPlaces() == std::vector<fs::path>{"/var/tmp", "/home/me/cache"}));
}

void tst_temporary_folder::cachedPagesCanBeDropped() {
  if (!equipatch::test::hasDisk()) {
    QVERIFY_ERROR(folderOnDisk(temporaryPlaces(), kMebibyte),
                  "expected a folder on a disk");
    QSKIP("all places for temporary files of this system lie in memory");
  }
  const fs::path place = equipatch::test::diskForTests();
  if (place.empty()) QSKIP("the disk has too little room");
  const TemporaryFolder folder(place);
  const fs::path file = folder.path() / "file";
  std::ofstream(file, std::ios::binary) << std::string(8 * kMebibyte, 'x');
  dropCachedPages(file);
  QVERIFY2(cachedShare(file) < 0.5, place.c_str());
}

void tst_temporary_folder::placesInMemoryAreSkipped() {
  if (!fs::is_directory("/dev/shm")) QSKIP("this system has no /dev/shm");
  QVERIFY_ERROR(folderOnDisk({"/dev/shm"}, kMebibyte), "/dev/shm is in memory", "TMPDIR");
  const fs::path disk = equipatch::test::diskForTests();
  if (disk.empty()) QSKIP("no folder for temporary files is on a disk with enough room");
  QCOMPARE(folderOnDisk({"/dev/shm", disk}, kMebibyte), disk);
}

void tst_temporary_folder::errorsGiveAReasonForEachPlace() {
  std::ofstream(own() / "file") << "text";
  QVERIFY_ERROR(folderOnDisk({"/nowhere/at/all", own() / "file" / "x", own()},
                             std::uintmax_t{1} << 62),
                "found none (/nowhere/at/all: No such file or directory, ",
                "file/x: Not a directory, ", m_folder.path() + " has room for ",
                "TMPDIR");
}

EQUIPATCH_TEST(tst_temporary_folder)
#include "tst_temporary_folder.moc"
