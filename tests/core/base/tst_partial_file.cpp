// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/partial_file.h"

#include <sys/stat.h>

#include <QTemporaryDir>
#include <fstream>

#include "core/base/paths.h"
#include "tests/support/test_case.h"

using namespace equipatch;
namespace fs = std::filesystem;

class tst_partial_file : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void theTargetAppearsOnlyWhenComplete() {
    const QTemporaryDir folder;
    const fs::path target = folder.filePath("a").toStdString();
    fs::path partial;
    {
      PartialFile file(target);
      partial = file.path();
      QVERIFY(partial.string().starts_with(target.string() + ".partial-"));
      std::ofstream(partial) << "text";
      QVERIFY(!isThere(target));
      QVERIFY(!file.putInPlace());
    }
    QCOMPARE(startOfFile(target, 10), std::string("text"));
    QVERIFY(!isThere(partial));
    { const PartialFile dropped(target); }
    QCOMPARE(startOfFile(target, 10), std::string("text"));
    QCOMPARE(std::distance(fs::directory_iterator(folder.path().toStdString()), {}), 1);
  }

  /// Two programs may write the same file; neither writes into a partial file of the
  /// other program or into an unrelated file.
  void filesOfOtherProgramsAreNotWritten() {
    const QTemporaryDir folder;
    const fs::path target = folder.filePath("a").toStdString();
    std::ofstream(target.string() + ".partial") << "a stranger's";
    PartialFile first(target), second(target);
    QVERIFY(first.path() != second.path());
    std::ofstream(first.path()) << "1";
    std::ofstream(second.path()) << "2";
    QVERIFY(!second.putInPlace() && !first.putInPlace());
    QCOMPARE(startOfFile(target, 10), std::string("1"));
    QCOMPARE(startOfFile(target.string() + ".partial", 20), std::string("a stranger's"));
  }

  void allowsTheLongestName() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    const std::string longest = "a" + QString(127, QChar(0x434)).toStdString();
    QCOMPARE(longest.size(), std::size_t{255});
    PartialFile file(root / longest);
    QVERIFY(!file.putInPlace());
    QVERIFY(isFile(root / longest));
    QVERIFY_ERROR(PartialFile(root / (longest + "a")), "cannot be written");
  }

  void unwritableTargetsAreReported() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    QVERIFY_ERROR(PartialFile(root / "no/file"), "there is no folder");
    QVERIFY_ERROR(PartialFile(""), "is empty");
    QCOMPARE(::mkfifo((root / "pipe").c_str(), 0600), 0);
    QVERIFY_ERROR(PartialFile(root / "pipe"), "pipe or device");
    fs::create_directories(root / "taken/below");
    PartialFile file(root / "taken");
    QVERIFY(bool(file.putInPlace()));
  }
};

EQUIPATCH_TEST(tst_partial_file)
#include "tst_partial_file.moc"
