// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/run_rows.h"

#include <QTemporaryDir>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/record/file/run_schema.h"
#include "core/record/file/run_writer.h"
#include "tests/core/record/random_runs.h"
#include "tests/core/record/tamper.h"
#include "tests/support/current_folder.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

RunHeader fullHeader() {
  test::RandomRuns random(3);
  RunHeader header = random.header();
  header.request.promptText = "ab";
  header.request.keepPictures = true;
  header.request.prompt = {{.id = TokenId(1), .span = {0, 1}},
                           {.id = TokenId(2), .span = {1, 2}}};
  header.request.absorbed.keptPrompt = {{1, 1}};
  const std::string bytes("\x89PNG\0\xff", 6);
  header.request.images = {
      {std::make_shared<const PictureFile>(
           PictureFile{.name = "cat.png", .sha256 = sha256(bytes), .bytes = bytes}),
       {0, 0}}};
  header.provenance.tensorFiles = {{"x.safetensors", "aa"}};
  header.layers = 1;
  header.width = 6;
  header.request.strength.layers = {0};
  header.continuations = {{.firstStep = 3, .repeats = false, .torch = "2.1"},
                          {.firstStep = 5, .processor = "other", .threads = 4}};
  header.parameters = {{.name = "layers.0.W_up",
                        .tensor = "up",
                        .module = "up.weight",
                        .shape = {6, 6},
                        .part = {.groups = 2, .parts = 3, .index = 1}},
                       {.name = "layers.0.b_down", .shape = {6}}};
  header.recurrentLayers = {0};
  return header;
}

}  // namespace

class tst_run_rows : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void headersAreReadBack();
  void unrecordedBranchesAreReadBack();
  void endingsAreReadBack();
  void continuationsAreAddedToOlderFiles();
  void picturesAreNotStoredWithoutKeepPictures();
  void theErrorNamesTheInvalidPart_data();
  void theErrorNamesTheInvalidPart();
  void repeatedOrTooManyPatchedMatricesAreDamage();
  void theErrorNamesAFileWithAShortName();
};

void tst_run_rows::headersAreReadBack() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run").toStdString();
  const RunHeader header = fullHeader();
  RunWriter(path, header);
  const RunHeader found = readHeader(*SqlDatabase::openUntrusted(path));
  QVERIFY(found == header);
  QCOMPARE(found.request.images[0].picture->bytes, std::string("\x89PNG\0\xff", 6));
}

/// Older versions recorded no branches. If such a run is repeated, its new file keeps
/// kNotRecorded.
void tst_run_rows::unrecordedBranchesAreReadBack() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run").toStdString();
  RunHeader header = fullHeader();
  header.request.branch = {.file = {}, .tokens = BranchOrigin::kNotRecorded};
  RunWriter(path, header);
  QVERIFY(readHeader(*SqlDatabase::openUntrusted(path)) == header);
  test::tamper(path, "INSERT INTO manifest VALUES ('branch_tokens', -1)");
  QVERIFY(readHeader(*SqlDatabase::openUntrusted(path)) == header);
}

void tst_run_rows::endingsAreReadBack() {
  for (const RunEnding ending : {RunEnding::Complete, RunEnding::Stopped}) {
    const QTemporaryDir folder;
    const auto database = SqlDatabase::create(folder.filePath("run").toStdString());
    createTables(*database);
    QCOMPARE(readEnding(*database), RunEnding::Interrupted);
    writeEnding(*database, ending);
    QCOMPARE(readEnding(*database), ending);
    removeEnding(*database);
    QCOMPARE(readEnding(*database), RunEnding::Interrupted);
  }
}

/// A file of an earlier version has no table of continuations.
void tst_run_rows::continuationsAreAddedToOlderFiles() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run").toStdString();
  RunHeader header = fullHeader();
  header.continuations.clear();
  RunWriter(path, header);
  test::tamper(path, "DROP TABLE continuations");
  QVERIFY(readHeader(*SqlDatabase::openUntrusted(path)) == header);
  header.continuations = {{.firstStep = 7, .program = "9"}};
  addContinuation(*SqlDatabase::openToChange(path), 0, header.continuations[0]);
  QVERIFY(readHeader(*SqlDatabase::openUntrusted(path)) == header);
}

void tst_run_rows::picturesAreNotStoredWithoutKeepPictures() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run").toStdString();
  RunHeader header = fullHeader();
  header.request.keepPictures = false;
  RunWriter(path, header);
  const RunHeader found = readHeader(*SqlDatabase::openUntrusted(path));
  QVERIFY(found == header);
  QVERIFY(!found.request.keepPictures);
  QCOMPARE(found.request.images[0].picture->bytes, std::string());
}

void tst_run_rows::theErrorNamesTheInvalidPart_data() {
  QTest::addColumn<QString>("change");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* change, const char* part) {
    QTest::newRow(change) << QString(change) << QString(part);
  };
  row("DELETE FROM manifest WHERE key = 'dtype'", "the manifest lacks \"dtype\"");
  row("UPDATE manifest SET value = 'int8x' WHERE key = 'dtype'", "\"dtype\"");
  row("UPDATE manifest SET value = -4 WHERE key = 'layers'", "\"layers\"");
  row("UPDATE manifest SET value = 1000000000000 WHERE key = 'layers'",
      "the number of layers is 1000000000000, expected 0 to 100000");
  row("UPDATE manifest SET value = 2147483648 WHERE key = 'width'",
      "the width is 2147483648, expected 0 to 1048576");
  row("UPDATE manifest SET value = '0,9223372036854775807' WHERE key = 'kept_prompt'",
      "a kept position is 9223372036854775807, expected 0 to 1");
  row("UPDATE manifest SET value = 2 WHERE key = 'branch_tokens'",
      "the number of a branch's tokens is 2, expected -1 to 1");
  row("UPDATE manifest SET value = '1' WHERE key = 'strength_layers'",
      "a patched layer is 1, expected 0");
  row("UPDATE manifest SET value = '1' WHERE key = 'recurrent_layers'",
      "a recurrent layer is 1, expected 0");
  row("UPDATE manifest SET value = x'00' WHERE key = 'top_p'", "found nothing");
  row("DELETE FROM prompt", "the prompt has no tokens");
  row("DELETE FROM prompt WHERE position = 0", "expected row 0, found row 1");
  row("UPDATE prompt SET span_end = 3 WHERE position = 1", "outside the prompt's text");
  row("UPDATE prompt SET span_begin = 2 WHERE position = 0", "outside the prompt's text");
  row("UPDATE prompt SET span_end = -1 WHERE position = 0", "outside the prompt's text");
  row("WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 80) "
      "INSERT INTO prompt (position, id, piece, span_begin, span_end, special) "
      "SELECT i, 1, '', 0, 2, 0 FROM n",
      "the number of bytes of all tokens is 160, expected 0 to 128");
  row("UPDATE prompt SET id = NULL", "column \"id\"");
  row("UPDATE images SET picture = x'00'",
      "\"cat.png\" has another SHA-256 than recorded");
  row("UPDATE images SET picture = NULL", "\"cat.png\" is missing");
  row("UPDATE images SET last_position = 2", "an image's position is 2, expected 0 to 1");
  row("UPDATE images SET first_position = 1, last_position = 1",
      "the last position of an image is 1, expected 0");
  row("UPDATE images SET first_position = 1", "an image's position is 0, expected 1");
  row("UPDATE images SET number = 7", "expected row 0, found row 7");
  row("UPDATE images SET first_position = 'x'", "found");
  row("UPDATE tensor_files SET file = 3", "table \"tensor_files\"");
  row("UPDATE parameters SET shape = '1,a' WHERE number = 0", "column \"shape\"");
  row("UPDATE parameters SET shape = '' WHERE number = 0",
      "\"layers.0.W_up\"'s number of dimensions is 0, expected 1 to 2");
  row("UPDATE parameters SET shape = '4,9223372036854775807' WHERE number = 0",
      "\"layers.0.W_up\"'s extent is 9223372036854775807");
  row("UPDATE parameters SET shape = '7' WHERE number = 1",
      "\"layers.0.b_down\"'s extent is 7, expected 6");
  const QString parts = "\"layers.0.W_up\"'s number of parts is %1, expected 1 to 16";
  for (const char* number : {"0", "20000000", "576460752303423488", "576460752303423489"})
    row(qPrintable(QString("UPDATE parameters SET parts = %1").arg(number)),
        qPrintable(parts.arg(number)));
  row("UPDATE parameters SET part = 3 WHERE number = 0",
      "\"layers.0.W_up\"'s part is 3, expected 0 to 2");
  row("UPDATE parameters SET groups = 0", "number of groups is 0, expected 1 to 6");
  row("UPDATE parameters SET groups = 4 WHERE number = 0",
      "number of groups is 4, expected a divisor of its 6 outputs");
  row("UPDATE parameters SET shape = '16777216,1' WHERE number = 0",
      "number of stored outputs is 50331648");
}

void tst_run_rows::theErrorNamesTheInvalidPart() {
  QFETCH(QString, change);
  QFETCH(QString, part);
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run.eqrun").toStdString();
  RunWriter(path, fullHeader());
  test::tamper(path, change);
  QVERIFY_ERROR(readHeader(*SqlDatabase::openUntrusted(path)), "run.eqrun: damaged",
                part);
}

void tst_run_rows::repeatedOrTooManyPatchedMatricesAreDamage() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run.eqrun").toStdString();
  RunWriter(path, fullHeader());
  const QString change = "UPDATE manifest SET value = %1 WHERE key = 'patched_matrices'";
  // 65 times "m,".
  test::tamper(path, change.arg("replace(hex(zeroblob(65)), '00', 'm,')"));
  QVERIFY_ERROR(readHeader(*SqlDatabase::openUntrusted(path)), "run.eqrun: damaged",
                "the number of patched matrices is 65, expected 0 to 64");
  test::tamper(path, change.arg("'up,gate,up'"));
  QVERIFY_ERROR(readHeader(*SqlDatabase::openUntrusted(path)), "run.eqrun: damaged",
                "the patched matrix \"up\" is listed twice");
}

/// The error names the file even if its reason begins with the file's name, here "t".
void tst_run_rows::theErrorNamesAFileWithAShortName() {
  const QTemporaryDir folder;
  const test::CurrentFolder current(folder.path());
  RunWriter("t", fullHeader());
  test::tamper("t", "DELETE FROM manifest WHERE key = 'dtype'");
  const QString sentence =
      test::errorOf([] { readHeader(*SqlDatabase::openUntrusted("t")); });
  QCOMPARE(sentence,
           QString("t: damaged: the manifest lacks \"dtype\"; restore a copy of "
                   "the file, or record the run again"));
}

EQUIPATCH_TEST(tst_run_rows)
#include "tst_run_rows.moc"
