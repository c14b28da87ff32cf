#include "core/record/file/run_rows.h"

#include <QTemporaryDir>

#include "core/base/error.h"
#include "core/record/file/run_schema.h"
#include "core/record/file/run_writer.h"
#include "tests/core/record/random_runs.h"
#include "tests/core/record/tamper.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

RunHeader fullHeader() {
  test::RandomRuns random(3);
  RunHeader header = random.header();
  header.request.promptText = "ab";
  header.request.prompt = {{.id = TokenId(1), .span = {0, 1}},
                           {.id = TokenId(2), .span = {1, 2}}};
  header.provenance.tensorFiles = {{"x.safetensors", "aa"}};
  return header;
}

}  // namespace

class tst_run_rows : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void headersComeBack();
  void endingsComeBack();
  void contradictionsAreNamed_data();
  void contradictionsAreNamed();
};

void tst_run_rows::headersComeBack() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run").toStdString();
  const RunHeader header = fullHeader();
  RunWriter(path, header);
  QVERIFY(readHeader(*SqlDatabase::openUntrusted(path)) == header);
}

void tst_run_rows::endingsComeBack() {
  for (const RunEnding ending : {RunEnding::Complete, RunEnding::Stopped}) {
    const QTemporaryDir folder;
    const auto database = SqlDatabase::create(folder.filePath("run").toStdString());
    createTables(*database);
    QCOMPARE(readEnding(*database), RunEnding::Interrupted);
    writeEnding(*database, ending);
    QCOMPARE(readEnding(*database), ending);
  }
}

void tst_run_rows::contradictionsAreNamed_data() {
  QTest::addColumn<QString>("change");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* change, const char* part) {
    QTest::newRow(change) << QString(change) << QString(part);
  };
  row("DELETE FROM manifest WHERE key = 'dtype'", "the manifest lacks \"dtype\"");
  row("UPDATE manifest SET value = 'int8x' WHERE key = 'dtype'", "\"dtype\"");
  row("UPDATE manifest SET value = -4 WHERE key = 'layers'", "\"layers\"");
  row("UPDATE manifest SET value = 1000000000000 WHERE key = 'layers'",
      "1000000000000 layers");
  row("UPDATE manifest SET value = x'00' WHERE key = 'top_p'", "found nothing");
  row("DELETE FROM prompt", "the prompt has no tokens");
  row("DELETE FROM prompt WHERE position = 0", "expected row 0, found row 1");
  row("UPDATE prompt SET span_end = 3 WHERE position = 1", "outside its text");
  row("UPDATE prompt SET span_begin = 2 WHERE position = 0", "outside its text");
  row("UPDATE prompt SET span_end = -1 WHERE position = 0", "outside its text");
  row("UPDATE prompt SET id = NULL", "column \"id\"");
  row("UPDATE tensor_files SET file = 3", "table \"tensor_files\"");
  row("UPDATE parameters SET shape = '1,a' WHERE number = 0", "column \"shape\"");
}

void tst_run_rows::contradictionsAreNamed() {
  QFETCH(QString, change);
  QFETCH(QString, part);
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run.eqrun").toStdString();
  RunWriter(path, fullHeader());
  test::tamper(path, change);
  QVERIFY_ERROR(readHeader(*SqlDatabase::openUntrusted(path)), "run.eqrun: damaged",
                part);
}

EQUIPATCH_TEST(tst_run_rows)
#include "tst_run_rows.moc"
