#include "core/record/export/output_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "core/base/error.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_output_file : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void takesItsNameWhenItIsWhole();
  void whatCannotBeWrittenIsNamed();
  void foldersAreMade();
};

void tst_output_file::takesItsNameWhenItIsWhole() {
  const QTemporaryDir folder;
  const QString path = folder.filePath("a.txt");
  const auto content = [&] {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("none");
  };
  {
    OutputFile file(path.toStdString());
    file << "first ";
    file << "text";
    QCOMPARE(content(), QByteArray("none"));
    file.finish();
    QCOMPARE(content(), QByteArray("first text"));
  }
  {
    OutputFile given(path.toStdString());
    given << "never finished";
  }
  QCOMPARE(content(), QByteArray("first text"));
  QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"a.txt"});
}

void tst_output_file::whatCannotBeWrittenIsNamed() {
  const QTemporaryDir folder;
  const std::filesystem::path root = folder.path().toStdString();
  QVERIFY_ERROR(OutputFile(root / "no/folder.txt"), "folder.txt", "there is no folder");
  std::filesystem::create_directory(root / "taken");
  OutputFile file(root / "taken");
  QVERIFY_ERROR(file.finish(), "taken", "cannot be written");
}

void tst_output_file::foldersAreMade() {
  const QTemporaryDir folder;
  const std::filesystem::path root = folder.path().toStdString();
  makeFolder(root / "a/b");
  makeFolder(root / "a/b");
  QVERIFY(std::filesystem::is_directory(root / "a/b"));
  QFile file(folder.filePath("file"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  QVERIFY_ERROR(makeFolder(root / "file"), "file", "choose another place");
}

EQUIPATCH_TEST(tst_output_file)
#include "tst_output_file.moc"
