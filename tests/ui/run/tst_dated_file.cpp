#include "ui/run/run_store.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_dated_file : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void isToldByDateAndName() {
    QTemporaryDir folder;
    const QString path =
        datedFile(folder.filePath("new/one"), {"my model/β: \"7\"", ".eqrun"});
    QVERIFY(QFileInfo(folder.filePath("new/one")).isDir());
    QVERIFY(!QFileInfo::exists(path));
    QVERIFY2(QRegularExpression(
                 "^\\d{4}-\\d\\d-\\d\\d_\\d\\d-\\d\\d-\\d\\d_my_model_β_7_.eqrun$",
                 QRegularExpression::UseUnicodePropertiesOption)
                 .match(QFileInfo(path).fileName())
                 .hasMatch(),
             qPrintable(path));
  }

  void neverIsAFileThatExists() {
    QTemporaryDir folder;
    QStringList paths;
    for (int i = 0; i < 5; ++i) {
      paths << datedFile(folder.path(), {"same", ".json"});
      QVERIFY(QFile(paths.last()).open(QIODevice::WriteOnly | QIODevice::NewOnly));
    }
    QCOMPARE(paths.removeDuplicates(), 0);
  }

  void isEmptyWhereThereCanBeNoFolder() {
    QTemporaryDir folder;
    QFile file(folder.filePath("file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(datedFile(folder.filePath("file/below"), {"a", ".json"}).isEmpty());
  }
};

EQUIPATCH_TEST(tst_dated_file)
#include "tst_dated_file.moc"
