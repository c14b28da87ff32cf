#include "core/base/path_kind.h"

#include <QTemporaryDir>
#include <fstream>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_path_kind : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void tellsFilesFromFolders();
  void followsLinks();
  void whatCannotBeLookedAtIsNotThere();

 private:
  std::filesystem::path path(const char* name) const {
    return m_folder.filePath(name).toStdString();
  }
  QTemporaryDir m_folder;
};

void tst_path_kind::tellsFilesFromFolders() {
  std::ofstream(path("file")).flush();
  QVERIFY(isThere(path("file")) && isFile(path("file")) && !isFolder(path("file")));
  const std::filesystem::path folder = m_folder.path().toStdString();
  QVERIFY(isThere(folder) && !isFile(folder) && isFolder(folder));
  QVERIFY(isAbsent(path("none")) && !isAbsent(path("file")) && !isAbsent(folder));
  QVERIFY(!isThere(path("none")) && !isFile(path("none")) && !isFolder(path("none")));
}

void tst_path_kind::followsLinks() {
  std::filesystem::create_directory_symlink(m_folder.path().toStdString(), path("link"));
  QVERIFY(isFolder(path("link")));
  std::filesystem::create_symlink(path("gone"), path("dangling"));
  QVERIFY(!isThere(path("dangling")));
}

void tst_path_kind::whatCannotBeLookedAtIsNotThere() {
  QVERIFY(!isThere(std::string(5000, 'x')) && !isAbsent(std::string(5000, 'x')));
  QVERIFY(!isFolder(std::string(5000, 'x')));
  QVERIFY(!isFile(""));
}

EQUIPATCH_TEST(tst_path_kind)
#include "tst_path_kind.moc"
