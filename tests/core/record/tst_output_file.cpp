// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/output_file.h"

#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <fstream>
#include <sstream>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "tests/support/changed_environment.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

constexpr OwnFile kOwn{.marker = "\"mine\"", .what = "mine"};

}  // namespace

/// TMPDIR is a folder of this test.
class tst_output_file : public equipatch::test::TestCase {
  Q_OBJECT

  void prepare() override {
    m_folder = std::make_unique<QTemporaryDir>();
    m_environment.set("TMPDIR", m_folder->path().toUtf8());
  }

 private Q_SLOTS:
  void theFileAppearsOnlyWhenFinished();
  void unwritablePathsAreNamed();
  void foldersAreMade();
  void anEmptyFolderIsMadeWithItsParents();
  void aFolderInUseIsRefused();
  void cleanup() { m_environment.restore(); }
  void otherNamesWithDashesAreFiles();
  void aDashMeansStandardOutput();
  void outputThatIsNotCopiedIsRemoved();
  void aFailedWriteToTheStreamIsReported();
  void theErrorNamesUnstreamableOutput();
  void filesOfTheSameKindMayBeReplaced();
  void filesOfAnotherKindAreRefused();
  void pipesAreNotOpened();
  void earlierFilesAreSetAside();

 private:
  static void write(const OutputPlace& place, const std::string& bytes) {
    std::ofstream(place.path(), std::ios::binary) << bytes;
  }
  std::filesystem::path write(const char* name, const std::string& text) const {
    const std::filesystem::path path = m_folder->filePath(name).toStdString();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  bool nothingIsLeft() const { return QDir(m_folder->path()).isEmpty(); }

  test::ChangedEnvironment m_environment;
  std::unique_ptr<QTemporaryDir> m_folder;
};

void tst_output_file::theFileAppearsOnlyWhenFinished() {
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

void tst_output_file::unwritablePathsAreNamed() {
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

void tst_output_file::anEmptyFolderIsMadeWithItsParents() {
  const auto folder = std::filesystem::path(m_folder->path().toStdString()) / "a" / "b";
  makeCheckpointFolder(folder);
  QVERIFY(std::filesystem::is_directory(folder));
  makeCheckpointFolder(folder);  // still empty
}

void tst_output_file::aFolderInUseIsRefused() {
  const std::filesystem::path notes = write("notes.txt", "mine");
  QVERIFY_ERROR(makeCheckpointFolder(notes.parent_path()), "is not empty");
  QVERIFY_ERROR(makeCheckpointFolder(notes), "the folder cannot be made");
}

void tst_output_file::otherNamesWithDashesAreFiles() {
  for (const char* name : {"./-", "a-", "folder/-", "--"}) {
    OutputPlace place(name);
    QVERIFY(!place.isStandardOutput());
    QCOMPARE(place.path(), std::filesystem::path(name));
    std::ostringstream out;
    place.copyToStandardOutput(out);
    QCOMPARE(out.str(), std::string());
  }
}

void tst_output_file::aDashMeansStandardOutput() {
  std::string bytes(3'000'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  OutputPlace place("-");
  QVERIFY(place.isStandardOutput());
  write(place, bytes);
  std::ostringstream out;
  place.copyToStandardOutput(out);
  QVERIFY(out.str() == bytes);
  QVERIFY(nothingIsLeft());
}

void tst_output_file::outputThatIsNotCopiedIsRemoved() {
  {
    const OutputPlace place("-");
    write(place, "half");
    QVERIFY(!nothingIsLeft());
  }
  QVERIFY(nothingIsLeft());
}

void tst_output_file::aFailedWriteToTheStreamIsReported() {
  std::ofstream full("/dev/full");
  if (!full) QSKIP("this system has no /dev/full");
  OutputPlace place("-");
  write(place, "text");
  QVERIFY_ERROR(place.copyToStandardOutput(full), "standard output");
  QVERIFY(nothingIsLeft());
  OutputPlace unwritten("-");
  std::ostringstream out;
  QVERIFY_ERROR(unwritten.copyToStandardOutput(out), "standard output");
}

void tst_output_file::theErrorNamesUnstreamableOutput() {
  const QString sentence = QString::fromStdString(notToStandardOutput("a folder"));
  QVERIFY2(sentence.contains("a folder cannot be written;"), qPrintable(sentence));
  QVERIFY2(sentence.contains("./-"), qPrintable(sentence));
}

void tst_output_file::filesOfTheSameKindMayBeReplaced() {
  requireOwnOrAbsent(m_folder->filePath(QStringLiteral("none")).toStdString(), kOwn);
  requireOwnOrAbsent(write("own", "{\"mine\": 1}"), kOwn);
}

void tst_output_file::filesOfAnotherKindAreRefused() {
  QVERIFY_ERROR(requireOwnOrAbsent(write("other", "{\"yours\": 1}"), kOwn), "other",
                "not mine");
  QVERIFY_ERROR(requireOwnOrAbsent(write("empty", ""), kOwn), "empty");
  requirePlaceFor("here.json", kOwn);
  QVERIFY_ERROR(
      requirePlaceFor(m_folder->filePath(QStringLiteral("gone/f")).toStdString(), kOwn),
      "there is no folder");
  QVERIFY_ERROR(requirePlaceFor(write("file", "") / "f", kOwn), "file/f",
                "choose another place");
  std::string late(60, ' ');
  late += "\"mine\"";
  QVERIFY_ERROR(requireOwnOrAbsent(write("late", late), kOwn), "late");
  QVERIFY_ERROR(requireOwnOrAbsent(m_folder->path().toStdString(), kOwn),
                "choose another");
}

/// Opening a named pipe would block until another process opens its other end.
void tst_output_file::pipesAreNotOpened() {
  const std::filesystem::path name = m_folder->filePath("name").toStdString();
  QCOMPARE(::mkfifo(name.c_str(), 0600), 0);
  QVERIFY_ERROR(requireOwnOrAbsent(name, kOwn), "name exists already");
  QVERIFY_ERROR(OutputFile(name), "name: expected a file", "pipe or device");
}

void tst_output_file::earlierFilesAreSetAside() {
  QVERIFY(
      setAside(m_folder->filePath(QStringLiteral("gone.json")).toStdString()).empty());
  const auto first = setAside(write("result.json", "first"));
  QVERIFY(isFile(first));
  QVERIFY(!isThere(m_folder->filePath(QStringLiteral("result.json")).toStdString()));
  // "result-2026-11-22-073512.json"
  QCOMPARE(first.filename().string().size(),
           std::string("result-0000-00-00-000000.json").size());
  const auto path = write("result.json", "second");
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(first));
  const auto second = setAside(path);
  QVERIFY(second != first && isFile(first) && isFile(second));
}

EQUIPATCH_TEST(tst_output_file)
#include "tst_output_file.moc"
