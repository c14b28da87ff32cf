#include "tests/support/test_case.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/model/recent_folders.h"

using namespace equipatch;

class tst_recent_folders : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void newestFirstAndOnce();
  void keepsOnlySome();
};

void tst_recent_folders::newestFirstAndOnce() {
  const test::ScratchSettings scratch;
  QVERIFY(RecentFolders::all().isEmpty());
  RecentFolders::add(QStringLiteral("/a"));
  RecentFolders::add(QStringLiteral("/b"));
  RecentFolders::add(QStringLiteral("/a/"));
  QCOMPARE(RecentFolders::all(),
           (QStringList{QStringLiteral("/a"), QStringLiteral("/b")}));
}

void tst_recent_folders::keepsOnlySome() {
  const test::ScratchSettings scratch;
  for (int i = 0; i < 30; ++i) RecentFolders::add(QStringLiteral("/%1").arg(i));
  QCOMPARE(RecentFolders::all().size(), RecentFolders::kMost);
  QCOMPARE(RecentFolders::all().first(), QStringLiteral("/29"));
}

EQUIPATCH_TEST(tst_recent_folders)
#include "tst_recent_folders.moc"
