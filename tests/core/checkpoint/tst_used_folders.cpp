// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/model_folders.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <array>
#include <fstream>
#include <thread>

#include "tests/support/test_case.h"

using namespace equipatch;
namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

class tst_used_folders : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void cleanup() { m_folder = std::make_unique<QTemporaryDir>(); }
  void foldersAreListedOnceNewestFirst();
  void forgettingRemovesOneFolder();
  void threadsDoNotLoseEachOthersChanges();
  void programsDoNotLoseEachOthersChanges();
  void theListHasAMaximumLength();
  void aDamagedListIsEmptyAndReplaced_data();
  void aDamagedListIsEmptyAndReplaced();
  void addReturnsFalseIfItStoresNothing();
  void anUnreadableListIsNotReplaced();
  void leavesNoPartialFiles();

 private:
  fs::path file() const {
    return fs::path(m_folder->path().toStdString()) / "a/list.json";
  }
  std::unique_ptr<QTemporaryDir> m_folder = std::make_unique<QTemporaryDir>();
};

void tst_used_folders::foldersAreListedOnceNewestFirst() {
  const UsedFolders used(file());
  QVERIFY(used.all().empty());
  QVERIFY(used.add("/a"));
  QVERIFY(used.add("/b/"));
  QVERIFY(used.add("/x/../a/"));
  QCOMPARE(used.all(), (Paths{"/a", "/b"}));
  QCOMPARE(UsedFolders(file()).all(), (Paths{"/a", "/b"}));
  QVERIFY(used.add("relative"));
  QCOMPARE(used.all().front(), fs::current_path() / "relative");
}

void tst_used_folders::forgettingRemovesOneFolder() {
  const UsedFolders used(file());
  for (const char* folder : {"/a", "/b", "/c"}) QVERIFY(used.add(folder));
  QVERIFY(used.forget("/x/../b/"));
  QCOMPARE(used.all(), (Paths{"/c", "/a"}));
  QVERIFY(!used.forget("/b"));
  QVERIFY(!UsedFolders(fs::path()).forget("/a"));
}

void tst_used_folders::threadsDoNotLoseEachOthersChanges() {
  const UsedFolders used(file());
  for (int i = 0; i < 8; ++i) QVERIFY(used.add("/old" + std::to_string(i)));
  {
    std::jthread adding([&] {
      for (int i = 0; i < 8; ++i) used.add("/new" + std::to_string(i));
    });
    for (int i = 0; i < 8; ++i) QVERIFY(used.forget("/old" + std::to_string(i)));
  }
  Paths expected;
  for (int i = 7; i >= 0; --i) expected.emplace_back("/new" + std::to_string(i));
  QCOMPARE(used.all(), expected);
}

/// Four child processes stand for programs; the closed pipe starts them all at once.
void tst_used_folders::programsDoNotLoseEachOthersChanges() {
  for (int round = 0; round < 4; ++round) {
    cleanup();
    const UsedFolders used(file());
    std::array<int, 2> go{};
    QCOMPARE(pipe(go.data()), 0);
    std::vector<pid_t> programs;
    for (int program = 0; program < 4; ++program) {
      programs.push_back(fork());
      if (programs.back() != 0) continue;
      close(go[1]);
      char none = 0;
      while (read(go[0], &none, 1) > 0) {
      }
      bool added = true;
      for (int i = 0; i < 4; ++i)
        added = used.add("/" + std::to_string(4 * program + i)) && added;
      _exit(added ? 0 : 1);
    }
    close(go[0]);
    close(go[1]);
    for (const pid_t program : programs) {
      int status = -1;
      QCOMPARE(waitpid(program, &status, 0), program);
      QCOMPARE(status, 0);
    }
    QCOMPARE(used.all().size(), std::size_t{16});
  }
}

void tst_used_folders::theListHasAMaximumLength() {
  const UsedFolders used(file());
  for (int i = 0; i < 40; ++i) QVERIFY(used.add("/" + std::to_string(i)));
  QCOMPARE(used.all().size(), UsedFolders::kMost);
  QCOMPARE(used.all().front(), fs::path("/39"));
}

void tst_used_folders::aDamagedListIsEmptyAndReplaced_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::newRow("empty") << QByteArray();
  QTest::newRow("cut short") << QByteArray("[\"/a\", ");
  QTest::newRow("no list") << QByteArray("{\"a\": 1}");
  QTest::newRow("other things") << QByteArray("[1, null, \"relative\", [\"/a\"]]");
  QTest::newRow("binary") << QByteArray("\xff\xfe\0\1", 4);
  QTest::newRow("huge") << QByteArray(2'000'000, ' ');
}

void tst_used_folders::aDamagedListIsEmptyAndReplaced() {
  QFETCH(QByteArray, bytes);
  fs::create_directories(file().parent_path());
  std::ofstream(file(), std::ios::binary) << bytes.toStdString();
  const UsedFolders used(file());
  QVERIFY(used.all().empty());
  QVERIFY(used.add("/a"));
  QCOMPARE(used.all(), (Paths{"/a"}));
}

void tst_used_folders::addReturnsFalseIfItStoresNothing() {
  QVERIFY(!UsedFolders("/proc/nowhere/list.json").add("/a"));
  QVERIFY(!UsedFolders(fs::path()).add("/a"));
  QVERIFY(UsedFolders(fs::path()).all().empty());
  QVERIFY(!UsedFolders(file()).add("/no\xfftext"));
}

/// A link to itself cannot be read by anyone, not even by root.
void tst_used_folders::anUnreadableListIsNotReplaced() {
  fs::create_directories(file().parent_path());
  fs::create_symlink(file(), file());
  const UsedFolders used(file());
  QVERIFY(used.all().empty());
  QVERIFY(!used.add("/a"));
  QVERIFY(fs::is_symlink(file()));
  QVERIFY_ERROR(used.forget("/a"), "list.json", "cannot be read");
}

void tst_used_folders::leavesNoPartialFiles() {
  const UsedFolders used(file());
  for (const char* folder : {"/a", "/b", "/c"}) QVERIFY(used.add(folder));
  int files = 0;
  for (const auto& entry : fs::directory_iterator(file().parent_path())) {
    QCOMPARE(entry.path(), file());
    ++files;
  }
  QCOMPARE(files, 1);
}

EQUIPATCH_TEST(tst_used_folders)
#include "tst_used_folders.moc"
