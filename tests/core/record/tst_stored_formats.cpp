// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTemporaryDir>

#include "core/record/file/run_file.h"
#include "core/record/file/run_rows.h"
#include "core/record/file/run_schema.h"
#include "core/record/lab_result.h"
#include "core/record/sweep/sweep_folder.h"
#include "core/record/sweep/sweep_plan.h"
#include "core/record/sweep/sweep_table.h"
#include "tests/core/record/tamper.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

/// A row with a field that older files lack.
struct Row {
  std::int64_t old = 7, later = 42;
  template <typename At>
  void hand(At&& at) {
    at("old", old);
    at(added("later"), later);
  }
};

}  // namespace

/// tests/data/runs holds files of earlier versions.
class tst_stored_formats : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void oldFilesCanBeOpened_data();
  void oldFilesCanBeOpened();
  void factorsAndNotesAreRead();
  void sampledMatchesOfOldFilesAreComputed();
  void aFileOfALaterVersionIsRead();
  void missingFieldsKeepTheirDefaults();
  void oldLabResultsAndSweepsAreRead();
  void sweepPlansOfFormat6AreRead();
};

void tst_stored_formats::oldFilesCanBeOpened_data() {
  QTest::addColumn<int>("steps");
  QTest::addColumn<int>("ending");
  QTest::addColumn<QString>("architecture");
  QTest::addColumn<double>("linf");  // of the first step
  const auto row = [](const char* file, int steps, RunEnding ending,
                      const char* architecture, double linf) {
    QTest::newRow(file) << steps << int(ending) << QString(architecture) << linf;
  };
  row("format-1/complete.eqrun", 4, RunEnding::Complete, "Gemma3ForCausalLM",
      0.0005382299423217773);
  row("format-1/mixture.eqrun", 3, RunEnding::Complete, "MixtralForCausalLM",
      1.1920928955078125e-06);
  row("format-1/noted.eqrun", 2, RunEnding::Complete, "Gemma3ForCausalLM",
      0.004728794097900391);
  row("format-1/interrupted.eqrun", 3, RunEnding::Interrupted, "Gemma3ForCausalLM",
      4.440892098500626e-16);
}

void tst_stored_formats::oldFilesCanBeOpened() {
  QFETCH(int, steps);
  QFETCH(int, ending);
  QFETCH(QString, architecture);
  QFETCH(double, linf);
  const StoredRun run =
      readRun(test::data(std::string("runs/") + QTest::currentDataTag()));
  QCOMPARE(run.damage, std::string());
  QCOMPARE(run.steps.size(), std::size_t(steps));
  QCOMPARE(int(run.ending), ending);
  QCOMPARE(QString::fromStdString(run.header->architecture), architecture);
  QCOMPARE(run.header->modelFolder, "/models/" + run.header->modelName);
  QCOMPARE(run.steps.front()->patchedDistance.linf, linf);
  for (const auto& step : run.steps)
    QCOMPARE(std::ssize(step->layers), run.header->layers);
}

void tst_stored_formats::factorsAndNotesAreRead() {
  const RunFile complete(test::data("runs/format-1/complete.eqrun"));
  const auto step = complete.step(StepIndex(3), FactorDetail::Include);
  QVERIFY(step->factors);
  QCOMPARE(std::ssize(*step->factors), complete.header()->layers);
  QVERIFY(!step->factors->front().matrices.empty());
  QVERIFY(step->noise && step->rounding && step->auditDistance && step->bareDistance);
  QCOMPARE(complete.header()->request.absorbed.keptPrompt.size(), 2u);

  const RunFile noted(test::data("runs/format-1/noted.eqrun"));
  std::size_t notes = 0;
  const auto first = noted.step(StepIndex(0), FactorDetail::Omit);
  for (const LayerRecord& layer : first->layers) notes += layer.note.empty() ? 0 : 1;
  QCOMPARE(notes, 1u);
}

/// The first versions stored no sampledMatch; it is computed from the tokens.
void tst_stored_formats::sampledMatchesOfOldFilesAreComputed() {
  const auto old = test::data("runs/format-1/mixture.eqrun");
  for (const auto& step : readRun(old).steps)
    QCOMPARE(step->sampledMatch, std::optional(true));
  for (const auto& step : readRun(test::data("runs/format-1/complete.eqrun")).steps)
    QVERIFY(!step->sampledMatch);

  const QTemporaryDir folder;
  const std::filesystem::path other = folder.filePath("other.eqrun").toStdString();
  std::filesystem::copy_file(old, other);
  std::filesystem::permissions(other, std::filesystem::perms::owner_all);
  test::tamper(other, "UPDATE steps SET patched_token = token + 1 WHERE step = 1");
  const StoredRun run = readRun(other);
  QCOMPARE(run.damage, std::string());
  QCOMPARE(run.steps[0]->sampledMatch, std::optional(true));
  QCOMPARE(run.steps[1]->sampledMatch, std::optional(false));
  QVERIFY(run.steps[1]->match);
}

void tst_stored_formats::aFileOfALaterVersionIsRead() {
  const QTemporaryDir folder;
  const std::filesystem::path later = folder.filePath("later.eqrun").toStdString();
  const auto now = test::data("runs/format-1/complete.eqrun");
  std::filesystem::copy_file(now, later);
  std::filesystem::permissions(later, std::filesystem::perms::owner_all);
  test::tamper(later,
               "CREATE TABLE sounds (number PRIMARY KEY, samples);"
               "INSERT INTO sounds VALUES (0, x'00');"
               "ALTER TABLE steps ADD COLUMN entropy;"
               "UPDATE steps SET entropy = 1;"
               "ALTER TABLE layers ADD COLUMN rank DEFAULT 1;"
               "INSERT INTO manifest VALUES ('temperature_of_day', 21.5)");
  const StoredRun before = readRun(now), after = readRun(later);
  QCOMPARE(after.damage, std::string());
  QVERIFY(*after.header == *before.header);
  QCOMPARE(after.steps.size(), before.steps.size());
  for (std::size_t index = 0; index < before.steps.size(); ++index)
    QVERIFY(*after.steps[index] == *before.steps[index]);
}

void tst_stored_formats::missingFieldsKeepTheirDefaults() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("rows").toStdString();
  test::tamper(path,
               "CREATE TABLE t (number PRIMARY KEY, old); INSERT INTO t VALUES (0, 3)");
  const RunTable table{"t", {"number"}, {"old", "later"}, {"later"}};
  const auto database = SqlDatabase::openUntrusted(path);
  const RunTable found = table.in(*database);
  SqlStatement select = database->prepare(found.selectSql(0));
  Rows rows(select);
  QVERIFY(rows.next());
  Row row;
  row.hand(RowReader(select, 1, found.columns));
  QCOMPARE(row.old, 3);
  QCOMPARE(row.later, 42);
}

void tst_stored_formats::oldLabResultsAndSweepsAreRead() {
  const LabResult result = readLabResult(test::data("runs/lab-1.json"));
  QCOMPARE(result.experiment, std::string("theorem"));
  QVERIFY(result.finished && !result.panels.empty() && !result.scalars.empty());

  const SweepTable table = mergeSweeps({test::data("runs/sweep-1")});
  QCOMPARE(table.rows().size(), 2u);
  for (const SweepRow& row : table.rows()) {
    QCOMPARE(row.cells, 1);
    QCOMPARE(row.steps, 2);
  }
}

/// This plan has every feature that the formats 2 to 6 added.
void tst_stored_formats::sweepPlansOfFormat6AreRead() {
  const SweepPlan plan = readSweepPlan(test::data("runs/sweep-6"));
  QVERIFY(plan.measureNoise && plan.ablated && plan.ignoreEndOfSequence);
  QCOMPARE(plan.points.size(), 2u);
  QCOMPARE(plan.points[0].strength, 0.5);
  QCOMPARE(plan.points[1].strength, 1.0);
  QCOMPARE(plan.prompts.size(), 3u);
  for (const SweepPrompt& prompt : plan.prompts) {
    QCOMPARE(prompt.sampling.temperature, 0.75);
    QCOMPARE(prompt.sampling.seed, std::uint64_t{3});
  }
  QCOMPARE(plan.prompts[0].absorb, std::string("images"));
  QCOMPARE(plan.prompts[0].images.at(0).file, std::string("/pictures/rgb.png"));
  QVERIFY(plan.prompts[0].images[0].sha256.starts_with("008f420b"));
  QCOMPARE(plan.prompts[1].absorb, std::string("sentence:2"));
  QCOMPARE(plan.prompts[2].absorb, std::string("words:Say."));
  QCOMPARE(toJson(plan)["format"].get<int>(), 6);
}

EQUIPATCH_TEST(tst_stored_formats)
#include "tst_stored_formats.moc"
