// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/paths.h"

#include <sys/stat.h>

#include <QFile>
#include <QTemporaryDir>
#include <cerrno>
#include <fstream>

#include "tests/support/ordinary_rights.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_paths : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void distinguishesFilesAndFolders();
  void pipesAndDevicesAreRefused();
  void followsLinks();
  void unreadablePathsAreNeitherThereNorAbsent();
  void spellingsOfAFolderGiveOnePath();
  void parentsOfLinkedFoldersAreFound();
  void startOfFileReadsOnlyRegularFiles();
  void smallFilesAreReplacedWhole();

  void errorsNamePathReasonAndAdvice() {
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    const auto sentence = [](const std::filesystem::path& path, int systemError = 0) {
      return std::string(unwritable(path, systemError).what());
    };
    QVERIFY(sentence(root / "no/file").find((root / "no").string() + "; make it") !=
            std::string::npos);
    QCOMPARE(sentence("file", ENOSPC),
             std::string("file: the file cannot be written (No space left on device); "
                         "choose another place"));
    QVERIFY(sentence("file", ENAMETOOLONG).ends_with("choose a shorter name"));
    QVERIFY(sentence("file").starts_with("file: "));
    QCOMPARE(unwritable("file").kind(), ErrorKind::Resource);
    QCOMPARE(std::string(
                 unlistable("folder", std::make_error_code(std::errc::permission_denied))
                     .what()),
             std::string("folder: the folder cannot be listed, Permission denied; check "
                         "who may read it"));
  }
  void unwritableFoldersAreRefused() {
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    requireFolderFor(root / "file");
    requireFolderFor("file");  // in the current folder
    QVERIFY_ERROR(requireFolderFor(root / "no/file"), "there is no folder", "make it");
    std::ofstream(root / "letter").flush();
    test::withOrdinaryRights([&] {
      QVERIFY_ERROR(requireFolderFor(root / "letter/file"), "cannot be written",
                    "Not a directory");
    });
    QVERIFY(QFile::setPermissions(folder.path(), QFile::ReadOwner | QFile::ExeOwner));
    test::withOrdinaryRights([&] {
      QVERIFY_ERROR(requireFolderFor(root / "file"), "file cannot be written",
                    "Permission denied");
    });
    QVERIFY(QFile::setPermissions(
        folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QVERIFY(!std::filesystem::exists(root / "file"));
  }

 private:
  std::filesystem::path path(const char* name) const {
    return m_folder.filePath(name).toStdString();
  }
  QTemporaryDir m_folder;
};

void tst_paths::distinguishesFilesAndFolders() {
  std::ofstream(path("file")).flush();
  QVERIFY(isThere(path("file")) && isFile(path("file")) && !isFolder(path("file")));
  const std::filesystem::path folder = m_folder.path().toStdString();
  QVERIFY(isThere(folder) && !isFile(folder) && isFolder(folder));
  QVERIFY(isAbsent(path("none")) && !isAbsent(path("file")) && !isAbsent(folder));
  QVERIFY(!isThere(path("none")) && !isFile(path("none")) && !isFolder(path("none")));
}

void tst_paths::pipesAndDevicesAreRefused() {
  QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", path("zero"));
  for (const auto& odd : {path("pipe"), path("zero")}) {
    QVERIFY(isPipeOrDevice(odd));
    QVERIFY_ERROR(refusePipeOrDevice(odd), QString::fromStdString(odd.string()),
                  "pipe or device");
  }
  std::ofstream(path("usual")).flush();
  QVERIFY_ERROR(refusePipeOrDevice(""), "name of the file to write is empty");
  for (const auto& usual : {path("usual"), path("unused"),
                            std::filesystem::path(m_folder.path().toStdString())}) {
    QVERIFY(!isPipeOrDevice(usual));
    refusePipeOrDevice(usual);
  }
}

void tst_paths::followsLinks() {
  std::filesystem::create_directory_symlink(m_folder.path().toStdString(), path("link"));
  QVERIFY(isFolder(path("link")));
  std::filesystem::create_symlink(path("gone"), path("dangling"));
  QVERIFY(!isThere(path("dangling")));
}

void tst_paths::unreadablePathsAreNeitherThereNorAbsent() {
  QVERIFY(!isThere(std::string(5000, 'x')) && !isAbsent(std::string(5000, 'x')));
  QVERIFY(!isFolder(std::string(5000, 'x')));
  QVERIFY(!isFile(""));
}

void tst_paths::spellingsOfAFolderGiveOnePath() {
  for (const char* folder : {"/a", "/a/", "/x/../a/./"})
    QCOMPARE(absoluteFolder(folder), std::filesystem::path("/a"));
  QCOMPARE(absoluteFolder("b/"), std::filesystem::current_path() / "b");
}

void tst_paths::parentsOfLinkedFoldersAreFound() {
  namespace fs = std::filesystem;
  fs::create_directories(path("far/away"));
  fs::create_directories(path("far/model"));
  fs::create_directories(path("near"));
  fs::create_directory_symlink(path("far/away"), path("parent"));
  fs::create_directory_symlink(path("near"), path("same"));
  QCOMPARE(absoluteFolder(path("parent/../model")), fs::canonical(path("far/model")));
  QCOMPARE(absoluteFolder(path("parent/x/..")), path("parent"));     // does not exist
  QCOMPARE(absoluteFolder(path("same/../parent")), path("parent"));  // leads there anyway
}

void tst_paths::startOfFileReadsOnlyRegularFiles() {
  std::ofstream(path("text")) << "some text";
  QCOMPARE(startOfFile(path("text"), 4), std::string("some"));
  QCOMPARE(startOfFile(path("text"), 100), std::string("some text"));
  QCOMPARE(::mkfifo(path("pipe start").c_str(), 0600), 0);
  for (const auto& other : {path("none"), path("."), path("pipe start")})
    QCOMPARE(startOfFile(other, 4), std::string());
}

void tst_paths::smallFilesAreReplacedWhole() {
  QVERIFY(replaceFile(path("new/folder/file"), "first"));
  QVERIFY(replaceFile(path("new/folder/file"), "2"));
  QCOMPARE(startOfFile(path("new/folder/file"), 100), std::string("2"));
  std::filesystem::create_directories(path("taken/file"));
  QVERIFY(!replaceFile(path("taken/file"), "text"));
  for (const char* folder : {"new/folder", "taken"})  // nothing half-written is left
    QCOMPARE(std::distance(std::filesystem::directory_iterator(path(folder)), {}), 1);
}

EQUIPATCH_TEST(tst_paths)
#include "tst_paths.moc"
