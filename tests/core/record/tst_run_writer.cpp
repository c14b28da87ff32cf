#include "core/record/file/run_writer.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "core/record/file/run_file.h"
#include "tests/core/record/random_runs.h"
#include "tests/core/record/tamper.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_run_writer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void makesOneOrdinaryDatabase();
  void neverWritesIntoAFileThatIsThere();
  void aStepIsWrittenWholeOrNotAtAll();
};

/// What a person with sqlite3 or Python finds.
void tst_run_writer::makesOneOrdinaryDatabase() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run.eqrun").toStdString();
  test::RandomRuns random(1);
  RunHeader header = random.header();
  header.request.promptText = "Once";
  header.request.prompt = {{.id = TokenId(17), .piece = "Once", .span = {0, 4}}};
  RunWriter writer(path, header);
  writer.add(random.step(header, 0));
  writer.finish(RunEnding::Complete);
  QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"run.eqrun"});
  QCOMPARE(test::cell(path, "PRAGMA integrity_check"), QString("ok"));
  QCOMPARE(test::cell(path, "SELECT value FROM manifest WHERE key = 'prompt_text'"),
           QString("Once"));
  QCOMPARE(test::cell(path, "SELECT id FROM prompt WHERE position = 0"), QString("17"));
  QCOMPARE(test::cell(path, "SELECT count(*) FROM steps"), QString("1"));
  QFile file(folder.filePath("run.eqrun"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(file.read(72).last(4), QByteArray("EqPa"));  // where file(1) looks
  QCOMPARE(test::cell(path, "PRAGMA journal_mode"), QString("delete"));
}

void tst_run_writer::neverWritesIntoAFileThatIsThere() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("mine.db").toStdString();
  test::tamper(path, "CREATE TABLE mine(x); INSERT INTO mine VALUES (1)");
  test::RandomRuns random(2);
  QVERIFY_ERROR(RunWriter(path, random.header()), "mine.db", "exists already");
  QCOMPARE(test::cell(path, "SELECT count(*) FROM mine"), QString("1"));
}

/// A second row of the same key is refused in the middle of the step.
void tst_run_writer::aStepIsWrittenWholeOrNotAtAll() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run.eqrun").toStdString();
  test::RandomRuns random(3);
  RunHeader header = random.header();
  RunWriter writer(path, header);
  test::tamper(path, "INSERT INTO choices VALUES (1, 'patched', 0, 1, '', 1.0, 1.0)");
  writer.add(random.step(header, 0));
  StepRecord step = random.step(header, 1);
  step.patched = {{TokenId(3), "x", 1.0, 1.0}};
  QVERIFY_ERROR(writer.add(step), "run.eqrun", "cannot be recorded");
  QCOMPARE(RunFile(path).stepCount(), 1);
  // And the writer goes on.
  step.patched.clear();
  writer.add(step);
  QCOMPARE(RunFile(path).stepCount(), 2);
}

EQUIPATCH_TEST(tst_run_writer)
#include "tst_run_writer.moc"
