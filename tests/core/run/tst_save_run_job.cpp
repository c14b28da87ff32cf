// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/save_run_job.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <filesystem>
#include <functional>
#include <optional>

#include "core/base/error.h"
#include "core/record/file/file_claim.h"
#include "core/work/worker.h"
#include "tests/core/work/ignoring_listener.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

struct SaveOutcome final : test::IgnoringListener {
  void jobStarted(Generation, const std::string&) override { problem = "no end"; }
  void jobProgressed(Generation, double, const std::string&) override {
    if (progressed) progressed();
  }
  void jobFinished(Generation) override { problem.clear(); }
  void jobCancelled(Generation) override { problem = "cancelled"; }
  void jobFailed(Generation, const Error& error) override { problem = error.what(); }
  std::string problem;
  std::function<void()> progressed;
};

}  // namespace

class tst_save_run_job : public equipatch::test::TestCase {
  Q_OBJECT

  void prepare() override { m_folder = std::make_unique<QTemporaryDir>(); }

 private Q_SLOTS:
  void copiesTheWholeFile() {
    write("a.eqrun", m_run);
    write("b.eqrun", "what was there");
    // A killed program left this journal. SQLite would write its pages into the new file.
    write("b.eqrun-journal", "half a step");
    QCOMPARE(saved("a.eqrun", "b.eqrun"), std::string());
    QVERIFY(content("b.eqrun") == m_run);
    QCOMPARE(files(), (QStringList{"a.eqrun", "b.eqrun"}));
  }

  void aStopKeepsTheExistingFile() {
    write("a.eqrun", m_run);
    write("b.eqrun", "what was there");
    SaveOutcome outcome;
    InlineWorker worker(outcome);
    int reports = 0;
    outcome.progressed = [&] {
      if (++reports == 2) worker.stop();
    };
    worker.run(makeSaveRunJob(path("a.eqrun"), path("b.eqrun")));
    QCOMPARE(outcome.problem, std::string("cancelled"));
    QCOMPARE(content("b.eqrun"), QByteArray("what was there"));
    QCOMPARE(files(), (QStringList{"a.eqrun", "b.eqrun"}));
  }

  void theSourceIsClaimedWhileItIsCopied() {
    write("a.eqrun", m_run);
    SaveOutcome outcome;
    InlineWorker worker(outcome);
    bool wasHeld = false;
    outcome.progressed = [&] { wasHeld = FileClaim::isHeld(path("a.eqrun")); };
    worker.run(makeSaveRunJob(path("a.eqrun"), path("b.eqrun")));
    QCOMPARE(outcome.problem, std::string());
    QVERIFY(wasHeld && !FileClaim::isHeld(path("a.eqrun")));
    const FileClaim other = FileClaim::take(path("a.eqrun"));
    QVERIFY(contains(saved("a.eqrun", "c.eqrun"), "is recording into this file"));
  }

  /// Replacing the file would delete the journal that the recording program still needs.
  void aFileBeingRecordedIsNotReplaced() {
    write("a.eqrun", m_run);
    write("b.eqrun", "half a run");
    write("b.eqrun-journal", "its step");
    SaveOutcome outcome;
    InlineWorker worker(outcome);
    std::optional<FileClaim> recording;
    outcome.progressed = [&] {  // a recording begins during the copy
      if (!recording) recording.emplace(FileClaim::take(path("b.eqrun")));
    };
    worker.run(makeSaveRunJob(path("a.eqrun"), path("b.eqrun")));
    QVERIFY(recording && contains(outcome.problem, "b.eqrun: a program is recording"));
    QVERIFY(contains(saved("a.eqrun", "b.eqrun"), "b.eqrun: a program is recording"));
    QCOMPARE(content("b.eqrun"), QByteArray("half a run"));
    QCOMPARE(files(), (QStringList{"a.eqrun", "b.eqrun", "b.eqrun-journal"}));
  }

  void aRunSavedOntoItselfIsUnchanged() {
    write("a.eqrun", m_run);
    std::filesystem::create_symlink(path("a.eqrun"), path("link.eqrun"));
    QCOMPARE(saved("a.eqrun", "link.eqrun"), std::string());
    QVERIFY(content("a.eqrun") == m_run);
    QVERIFY(std::filesystem::is_symlink(path("link.eqrun")));
  }

  void savingThroughALinkKeepsTheLink() {
    write("a.eqrun", m_run);
    write("b.eqrun", "what was there");
    std::filesystem::create_symlink(path("b.eqrun"), path("link.eqrun"));
    QCOMPARE(saved("a.eqrun", "link.eqrun"), std::string());
    QVERIFY(std::filesystem::is_symlink(path("link.eqrun")));
    QVERIFY(content("b.eqrun") == m_run);
  }

  void reportsPathsThatCannotBeReadOrWritten() {
    write("a.eqrun", m_run);
    QVERIFY(contains(saved("none.eqrun", "b.eqrun"), "none.eqrun: there is no such run"));
    QVERIFY(contains(saved("a.eqrun", "no/folder.eqrun"), "no/folder.eqrun"));
    QCOMPARE(files(), QStringList{"a.eqrun"});
  }

 private:
  std::filesystem::path path(const char* name) const {
    return m_folder->filePath(name).toStdString();
  }
  void write(const char* name, const QByteArray& bytes) const {
    QFile file(m_folder->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  }
  QByteArray content(const char* name) const {
    QFile file(m_folder->filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  QStringList files() const {
    return QDir(m_folder->path()).entryList(QDir::Files, QDir::Name);
  }
  /// @returns why it was not saved; empty if it was
  std::string saved(const char* from, const char* to) const {
    SaveOutcome outcome;
    InlineWorker(outcome).run(makeSaveRunJob(path(from), path(to)));
    return outcome.problem;
  }
  static bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  }

  const QByteArray m_run = QByteArray(3 << 20, 'r') + "the end";  // copied in pieces
  std::unique_ptr<QTemporaryDir> m_folder;
};

EQUIPATCH_TEST(tst_save_run_job)
#include "tst_save_run_job.moc"
