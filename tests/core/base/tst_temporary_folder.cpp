#include "core/base/temporary_folder.h"

#include <QTemporaryDir>
#include <fstream>

#include "tests/support/test_case.h"

using namespace equipatch;
namespace fs = std::filesystem;

class tst_temporary_folder : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void isEmptyAndThisUsersAlone();
  void goesWithAllThatIsInIt();
  void liesWhereTmpdirSays();
  void liesInAFolderOfChoice();
};

void tst_temporary_folder::isEmptyAndThisUsersAlone() {
  const TemporaryFolder folder, other;
  QVERIFY(fs::is_directory(folder.path()) && fs::is_empty(folder.path()));
  QVERIFY(folder.path() != other.path());
  QVERIFY(fs::status(folder.path()).permissions() == fs::perms::owner_all);
}

void tst_temporary_folder::goesWithAllThatIsInIt() {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    fs::create_directories(path / "a/b");
    std::ofstream(path / "a/b/c") << "text";
  }
  QVERIFY(!fs::exists(path));
}

void tst_temporary_folder::liesWhereTmpdirSays() {
  const QByteArray before = qgetenv("TMPDIR");
  const auto restore = qScopeGuard(
      [&] { before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before); });
  const QTemporaryDir there;
  qputenv("TMPDIR", there.path().toLocal8Bit());
  QCOMPARE(TemporaryFolder().path().parent_path(), fs::path(there.path().toStdString()));
  qputenv("TMPDIR", "/nowhere");
  QVERIFY_ERROR(TemporaryFolder(), "TMPDIR");
}

void tst_temporary_folder::liesInAFolderOfChoice() {
  const QTemporaryDir there;
  const fs::path parent = there.path().toStdString();
  QCOMPARE(TemporaryFolder(parent).path().parent_path(), parent);
  QVERIFY(fs::is_empty(parent));
  QVERIFY_ERROR(TemporaryFolder("/nowhere"), "/nowhere");
}

EQUIPATCH_TEST(tst_temporary_folder)
#include "tst_temporary_folder.moc"
