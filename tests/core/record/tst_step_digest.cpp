// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/step_digest.h"

#include <QTemporaryDir>

#include "core/record/file/run_file.h"
#include "core/record/file/run_labels.h"
#include "core/record/file/run_writer.h"
#include "tests/core/record/random_runs.h"
#include "tests/core/record/tamper.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

const QString kMessage = "step 1: its values were changed after they were recorded";

}  // namespace

class tst_step_digest : public equipatch::test::TestCase {
  Q_OBJECT

  void prepare() override { m_folder = std::make_unique<QTemporaryDir>(); }

 private Q_SLOTS:
  void digestsMatchTheDocumentedPythonProgram();
  void overwrittenValuesAreFound_data();
  void overwrittenValuesAreFound();
  void labelsAndEmptyColumnsAreNotDigested();
  void filesWithoutDigestsStayReadable();
  void runsWithoutFactorsHaveOneDigest();

 private:
  std::filesystem::path path() const {
    return m_folder->filePath("run.eqrun").toStdString();
  }
  QString cell(const char* sql) const { return test::cell(path(), sql); }
  /// A step without factors.
  StepRecord step(std::int64_t index) const {
    RunHeader header = m_header;
    header.request.keepFactors = false;
    return test::RandomRuns(std::uint64_t(100 + index)).step(header, index);
  }
  void record(std::int64_t steps, bool keepsFactors = true);

  std::unique_ptr<QTemporaryDir> m_folder;
  RunHeader m_header;
};

/// Records steps with a patched matrix in each of two layers.
void tst_step_digest::record(std::int64_t steps, bool keepsFactors) {
  m_header = test::RandomRuns(3).header();
  m_header.layers = m_header.width = 2;
  m_header.parameters = {{.name = "layers.0.W_gate", .shape = {3, 2}},
                         {.name = "layers.1.W_gate", .shape = {3, 2}}};
  m_header.request.strength.layers.clear();
  m_header.request.keepFactors = keepsFactors;
  RunWriter writer(path(), m_header);
  for (std::int64_t index = 0; index < steps; ++index) {
    StepRecord next = step(index);
    next.contextual = {{TokenId(4), "a", 1.0, 0.5}};
    next.layers[1].matrices = {{"gate", 1.0, 0.25}};
    next.layers[1].scaleDelta = {0.5f, 2.0f};
    next.layerNoise = {0.5, 0.25};
    LayerFactors factors{.matrices = {{"W_gate", {1.0, 2.0, 3.0}, {4.0, 5.0}}}};
    factors.v = {6.0, 7.0};
    if (keepsFactors)
      next.factors = std::make_shared<const PatchFactors>(PatchFactors(2, factors));
    writer.add(next);
  }
  writer.finish(RunEnding::Complete);
}

/// The Python program in docs/run-files.md computed the expected values.
void tst_step_digest::digestsMatchTheDocumentedPythonProgram() {
  test::tamper(
      path(),
      "CREATE TABLE steps (step, margin, text, PRIMARY KEY (step)) WITHOUT ROWID;"
      "CREATE TABLE choices (step, pass, rank, logit, PRIMARY KEY (step, pass, rank)) "
      "WITHOUT ROWID;"
      "CREATE TABLE layers (step, layer, note, PRIMARY KEY (step, layer)) WITHOUT ROWID;"
      "CREATE TABLE matrices (step, layer, number, norm, "
      "PRIMARY KEY (step, layer, number)) WITHOUT ROWID;"
      "CREATE TABLE vectors (step, kind, layer, number, data, "
      "PRIMARY KEY (step, kind, layer, number)) WITHOUT ROWID;"
      "INSERT INTO steps VALUES (3, 0.5, 'München'), (4, -0.0, '');"
      "INSERT INTO choices VALUES (3, 'patched', 0, -7), (3, 'contextual', 0, 'nan'), "
      "(3, 'contextual', 1, NULL);"
      "INSERT INTO vectors VALUES (3, 'scale_delta', 0, 0, x'00ff'), "
      "(3, 'u', 0, 0, x'01'), (3, 'later', 1, 0, x'');");
  const auto database = SqlDatabase::openUntrusted(path());
  StepDigests digests(*database);
  for (int again = 0; again < 2; ++again) {
    QCOMPARE(
        digests.of(StepIndex(3), StepPart::Record),
        std::string("fccce9e826e0d46732c8e2c1bc3b9642242eca614f8017029a7f74c78e4429bf"));
    QCOMPARE(
        digests.of(StepIndex(3), StepPart::Factors),
        std::string("0850d3c3fb5c73e4b4063d78648094cd357e383c5d1723e8ae053c724fbeddaa"));
    QCOMPARE(
        digests.of(StepIndex(4), StepPart::Record),
        std::string("37f35a35c94ed174781148b21b147d111ed42154b2032badc5582eed4894ff98"));
    database->allowReading();
  }
  const std::string recorded = digests.of(StepIndex(3), StepPart::Record);
  requireDigest(digests, StepIndex(3), StepPart::Record, recorded);
  requireDigest(digests, StepIndex(3), StepPart::Record, "");
  QVERIFY_ERROR(requireDigest(digests, StepIndex(4), StepPart::Record, recorded),
                "values were changed");
}

void tst_step_digest::overwrittenValuesAreFound_data() {
  QTest::addColumn<QString>("change");
  QTest::addColumn<bool>("inFactors");
  const auto row = [](const char* change, bool inFactors = false) {
    QTest::newRow(change) << QString(change) << inFactors;
  };
  row("UPDATE steps SET margin = margin + 1");
  row("UPDATE steps SET token_text = token_text || 'a'");
  row("UPDATE choices SET logit = 3.5 WHERE pass = 'contextual'");
  row("DELETE FROM choices WHERE pass = 'contextual'");
  row("UPDATE layers SET note = 'odd' WHERE layer = 0");
  row("UPDATE matrices SET norm = 2.0 WHERE layer = 1");
  row("UPDATE vectors SET data = CAST(substr(data, 1, 6) || x'41' || substr(data, 8) "
      "AS BLOB) WHERE kind = 'scale_delta' AND layer = 1");
  row("DELETE FROM vectors WHERE kind = 'layer_noise'");
  row("UPDATE vectors SET data = CAST(substr(data, 1, 15) || x'41' AS BLOB) WHERE kind = "
      "'w' AND layer = 1",
      true);
  row("DELETE FROM vectors WHERE kind = 'v'", true);
  row("INSERT INTO vectors SELECT step, 'other', 7, 7, weight, dtype, data FROM vectors "
      "WHERE kind = 'v' AND layer = 0",
      true);
  row("UPDATE digests SET record = 5");
}

void tst_step_digest::overwrittenValuesAreFound() {
  QFETCH(QString, change);
  QFETCH(bool, inFactors);
  record(3);
  QCOMPARE(readRun(path()).damage, std::string());
  const QString condition =
      change.contains("WHERE") ? " AND step = 1" : " WHERE step = 1";
  test::tamper(path(), change + condition);
  const RunFile file(path());
  const QString message =
      change.contains("digests") ? QString("step 1: expected a text") : kMessage;
  QVERIFY_ERROR(file.step(StepIndex(1), FactorDetail::Include), message);
  if (inFactors)
    QVERIFY(file.step(StepIndex(1), FactorDetail::Omit));
  else
    QVERIFY_ERROR(file.step(StepIndex(1), FactorDetail::Omit), message);
  for (const std::int64_t other : {0, 2})
    QVERIFY(file.step(StepIndex(other), FactorDetail::Include)->factors);
  const StoredRun run = readRun(path());
  QCOMPARE(run.steps.size(), inFactors ? 3u : 1u);
  const QString damage = QString::fromStdString(run.damage);
  QVERIFY2(inFactors ? damage.isEmpty() : damage.startsWith(message), qPrintable(damage));
}

void tst_step_digest::labelsAndEmptyColumnsAreNotDigested() {
  record(2);
  saveLabels(path(), {.name = "mine", .notes = "of Mars", .tags = {"a"}});
  test::tamper(path(), "ALTER TABLE steps ADD COLUMN later");
  test::tamper(path(), "UPDATE manifest SET value = 'x' WHERE key = 'processor'");
  for (const std::int64_t index : {0, 1})
    QVERIFY(RunFile(path()).step(StepIndex(index), FactorDetail::Include));
  // A column that a later version added enters the digest once it has a value.
  test::tamper(path(), "UPDATE steps SET later = 1 WHERE step = 1");
  QVERIFY_ERROR(RunFile(path()).step(StepIndex(1), FactorDetail::Omit), kMessage);
}

/// Earlier versions wrote no digests.
void tst_step_digest::filesWithoutDigestsStayReadable() {
  record(2, false);
  test::tamper(path(), "DROP TABLE digests; UPDATE steps SET margin = 7 WHERE step = 0");
  QCOMPARE(readRun(path()).damage, std::string());
  {
    RunWriter writer = RunWriter::toContinue(path(), {.firstStep = 2});
    writer.add(step(2));
    writer.finish(RunEnding::Complete);
  }
  QCOMPARE(cell("SELECT group_concat(step) FROM digests"), QString("2"));
  QCOMPARE(readRun(path()).steps.size(), 3u);
  test::tamper(path(), "UPDATE steps SET margin = 7.5");
  QCOMPARE(readRun(path()).damage,
           std::string("step 2: its values were changed after they were recorded"));
}

void tst_step_digest::runsWithoutFactorsHaveOneDigest() {
  record(1, false);
  QCOMPARE(cell("SELECT factors FROM digests"), QString("NULL"));
  QCOMPARE(cell("SELECT length(record) FROM digests"), QString("64"));
}

EQUIPATCH_TEST(tst_step_digest)
#include "tst_step_digest.moc"
