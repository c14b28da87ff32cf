// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/run_labels.h"

#include <sys/stat.h>
#include <QTemporaryDir>
#include <algorithm>
#include <fstream>

#include "core/record/file/run_writer.h"
#include "core/record/run_catalogue.h"
#include "tests/core/record/small_run.h"
#include "tests/core/record/tamper.h"
#include "tests/support/ordinary_rights.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

void record(const std::filesystem::path& path, const StoredRun& run,
            std::optional<RunEnding> ending = RunEnding::Complete) {
  RunWriter writer(path, *run.header);
  for (const auto& step : run.steps) writer.add(*step);
  if (ending) writer.finish(*ending);
}

StoredRun runAt(const char* time, const char* prompt) {
  StoredRun run = test::smallRun();
  auto header = std::make_shared<RunHeader>(*run.header);
  header->provenance.startTime = time;
  header->request.promptText = prompt;
  run.header = header;
  return run;
}

}  // namespace

class tst_run_labels : public equipatch::test::TestCase {
  Q_OBJECT

  void prepare() override { m_folder = std::make_unique<QTemporaryDir>(); }

 private Q_SLOTS:
  void tagsAreSortedAndDistinct();
  void aChangeLeavesOtherLabelsUnchanged();
  void savingLabelsLeavesTheRunUnchanged();
  void aNewNameLeavesOtherLabelsUnchanged();
  void savingPreservesUnknownKeys();
  void lengthsOfLabelsAreLimited();
  void interruptedRunsMayBeLabelled();
  void filesThatCannotBeWrittenAreNamed();
  void errorsNameTheDamagedTable();
  void aRunWithALostStepIsInterrupted();
  void theCatalogueBeginsWithTheNewestRun();
  void unreadableFilesAreListed();
  void everySearchedWordMustMatch();
  void linfOutlineKeepsThePeak();

 private:
  std::filesystem::path path(const char* name = "run.eqrun") const {
    return m_folder->filePath(name).toStdString();
  }
  std::unique_ptr<QTemporaryDir> m_folder;
};

void tst_run_labels::tagsAreSortedAndDistinct() {
  QCOMPARE(parseTags(" paper, a b ,,paper ,"),
           (std::vector<std::string>{"a b", "paper"}));
  QVERIFY(parseTags(" , ").empty());
}

void tst_run_labels::aNewNameLeavesOtherLabelsUnchanged() {
  record(path(), test::smallRun());
  saveLabels(path(), {.name = "old", .notes = "n", .tags = {"a"}});
  changeLabels(path(), {.name = "new"});
  QVERIFY((labelsIn(path()) == RunLabels{.name = "new", .notes = "n", .tags = {"a"}}));
  changeLabels(path(), {.name = ""});
  QVERIFY((labelsIn(path()) == RunLabels{.notes = "n", .tags = {"a"}}));
  QVERIFY_ERROR(changeLabels(path(), {.name = std::string(501, 'x')}), "501 bytes");
  QVERIFY(labelsIn(path("none.eqrun")).empty());
  std::ofstream(path("other.eqrun")) << "no database";
  QVERIFY(labelsIn(path("other.eqrun")).empty());
}

void tst_run_labels::aChangeLeavesOtherLabelsUnchanged() {
  record(path(), test::smallRun());
  const RunLabels old{.name = "old", .notes = "n", .tags = {"a"}};
  saveLabels(path(), old);
  const std::vector<std::string> tags{"b", "c"};
  changeLabels(path(), {.name = {}, .notes = "m", .tags = tags});
  QVERIFY((labelsIn(path()) == RunLabels{.name = "old", .notes = "m", .tags = tags}));
  const LabelChange removal{.name = "", .notes = {}, .tags = std::vector<std::string>()};
  QVERIFY((removal.appliedTo(old) == RunLabels{.name = {}, .notes = "n", .tags = {}}));
  changeLabels(path(), removal);
  QVERIFY((labelsIn(path()) == RunLabels{.name = {}, .notes = "m", .tags = {}}));
  const std::string tooLong(501, 'x');
  QVERIFY_ERROR(changeLabels(path(), {.name = tooLong, .notes = {}, .tags = {}}),
                "501 bytes");
}

void tst_run_labels::savingLabelsLeavesTheRunUnchanged() {
  record(path(), test::smallRun());
  const StoredRun before = readRun(path());
  QVERIFY(readCatalogueRun(path()).labels.empty());
  const RunLabels labels{
      .name = "Lina", .notes = "line 1\nl\xc3\xadne 2", .tags = {"paper", "rhyme"}};
  saveLabels(path(), labels);
  QVERIFY(readCatalogueRun(path()).labels == labels);
  const StoredRun after = readRun(path());
  QVERIFY(*after.header == *before.header);
  QCOMPARE(after.steps.size(), before.steps.size());
  for (std::size_t step = 0; step < after.steps.size(); ++step)
    QVERIFY(sameResults(*after.steps[step], *before.steps[step]));
  QVERIFY(!SqlDatabase::isDamaged(path()));
  saveLabels(path(), {});
  QVERIFY(readCatalogueRun(path()).labels.empty());
}

void tst_run_labels::savingPreservesUnknownKeys() {
  record(path(), test::smallRun());
  saveLabels(path(), {.name = "a", .notes = {}, .tags = {}});
  test::tamper(path(), "INSERT INTO labels VALUES ('rating', '5')");
  saveLabels(path(), {.name = "b", .notes = {}, .tags = {}});
  QCOMPARE(SqlDatabase::openUntrusted(path())->integer(
               "SELECT count(*) FROM labels WHERE key = 'rating' AND value = '5'"),
           1);
  QCOMPARE(readCatalogueRun(path()).labels.name, std::string("b"));
}

void tst_run_labels::lengthsOfLabelsAreLimited() {
  record(path(), test::smallRun());
  QVERIFY_ERROR(saveLabels(path(), {std::string(501, 'a'), {}, {}}), "501",
                "at most 500");
  QVERIFY_ERROR(saveLabels(path(), {{}, std::string(100'001, 'a'), {}}), "the notes");
  test::tamper(path(),
               "CREATE TABLE labels (key, value, PRIMARY KEY (key)) WITHOUT ROWID");
  test::tamper(path(), "INSERT INTO labels VALUES ('name', printf('%.*c', 9000, 'x'))");
  QCOMPARE(readCatalogueRun(path()).labels.name.size(), std::size_t(500));
}

void tst_run_labels::interruptedRunsMayBeLabelled() {
  record(path(), test::smallRun(), std::nullopt);
  saveLabels(path(), {.name = "half", .notes = {}, .tags = {}});
  const CatalogueRun run = readCatalogueRun(path());
  QVERIFY(run.ending == RunEnding::Interrupted);
  QCOMPARE(run.labels.name, std::string("half"));
  QVERIFY_ERROR(saveLabels(path("none.eqrun"), {}), "there is no such run file");
}

void tst_run_labels::filesThatCannotBeWrittenAreNamed() {
  record(path(), test::smallRun());
  std::filesystem::permissions(path(), std::filesystem::perms::owner_read);
  const auto save = [this] {
    saveLabels(path(), {.name = "a", .notes = {}, .tags = {}});
  };
  QVERIFY_ERROR(test::withOrdinaryRights(save), "run.eqrun");
}

void tst_run_labels::errorsNameTheDamagedTable() {
  record(path(), test::smallRun());
  test::tamper(path(), "CREATE TABLE labels (a, b)");
  QVERIFY_ERROR(saveLabels(path(), {}), "damaged", "\"labels\"");
  QVERIFY(QString::fromStdString(readCatalogueRun(path()).problem).contains("labels"));
  record(path("number"), test::smallRun());
  saveLabels(path("number"), {.name = "a", .notes = {}, .tags = {}});
  test::tamper(path("number"), "UPDATE labels SET value = 5");
  const auto problem = [this](const char* name) {
    return QString::fromStdString(readCatalogueRun(path(name)).problem);
  };
  QVERIFY(
      problem("number").endsWith("number: damaged: table \"labels\": expected a text, "
                                 "found 5; restore a copy of the "
                                 "file, or record the run again"));
  record(path("step"), test::smallRun());
  test::tamper(path("step"), "UPDATE steps SET match = 7");
  QVERIFY(problem("step").endsWith(
      "step: damaged: table \"steps\": expected 0 or 1, found 7; restore a copy of the "
      "file, or record the run again"));
}

/// `compare --continue` can compute the lost steps again.
void tst_run_labels::aRunWithALostStepIsInterrupted() {
  record(path(), test::smallRun());
  QVERIFY(readCatalogueRun(path()).ending == RunEnding::Complete);
  test::tamper(path(), "UPDATE steps SET linf = 'x' WHERE step = 1");
  CatalogueRun run = readCatalogueRun(path());
  QVERIFY(run.header && run.ending == RunEnding::Interrupted && !run.problem.empty());
  QCOMPARE(run.steps, std::int64_t{1});
  test::tamper(path(), "UPDATE steps SET linf = 1.0, step = 2 WHERE step = 1");
  run = readCatalogueRun(path());
  QVERIFY(run.ending == RunEnding::Interrupted && run.steps == 1);
}

void tst_run_labels::theCatalogueBeginsWithTheNewestRun() {
  // Sorting by file name, or by the latest modification, would give another order.
  record(path("b.eqrun"), runAt("2026-11-21T08:00:00Z", "new"));
  record(path("a.eqrun"), runAt("2026-11-20T08:00:00Z", "old"), RunEnding::Stopped);
  record(path("c.eqrun"), runAt("2026-11-19T08:00:00Z", "oldest"));
  std::filesystem::create_directory(path("folder.eqrun"));
  std::ofstream(path("notes.txt")) << "text";
  SilentProgress silent;
  const auto runs = readCatalogue(m_folder->path().toStdString(), silent);
  QCOMPARE(runs.size(), std::size_t(3));
  QCOMPARE(runs[0].header->request.promptText, std::string("new"));
  QCOMPARE(runs[0].steps, 2);
  QCOMPARE(runs[0].matches, 1);
  QCOMPARE(runs[0].linfOutline.size(), std::size_t(2));
  QVERIFY(runs[1].ending == RunEnding::Stopped);
  QCOMPARE(runs[2].header->request.promptText, std::string("oldest"));
  QVERIFY(readCatalogue(path("nowhere"), silent).empty());
  QCOMPARE(runFilesIn(m_folder->path().toStdString()).size(), std::size_t(4));
  QVERIFY(runFilesIn(path("nowhere")).empty());
  QVERIFY(isRunFileName("a/run.eqrun"));
  for (const char* other : {"run.txt", "run", "run.eqrun.txt", ".eqrun"})
    QVERIFY2(!isRunFileName(other), other);
  test::StoppedProgress stopped;
  QVERIFY_ERROR(readCatalogue(m_folder->path().toStdString(), stopped), "");
}

void tst_run_labels::unreadableFilesAreListed() {
  std::ofstream(path("text.eqrun")) << "not a database, but long enough to be looked at";
  QCOMPARE(::mkfifo(path("pipe.eqrun").c_str(), 0600), 0);
  SilentProgress silent;
  const auto runs = readCatalogue(m_folder->path().toStdString(), silent);
  QCOMPARE(runs.size(), std::size_t(1));  // the pipe is not listed
  QVERIFY(!runs[0].header);
  QVERIFY(QString::fromStdString(runs[0].problem).contains("text.eqrun"));
}

void tst_run_labels::everySearchedWordMustMatch() {
  record(path(), runAt("2026-11-20T08:00:00Z", "Write a rhyme"));
  saveLabels(path(), {.name = "Goose", .notes = "for the talk", .tags = {"paper"}});
  const CatalogueRun run = readCatalogueRun(path());
  for (const char* words :
       {"", "goose", "RHYME paper", "talk 2026-11", "stable small", "run.eqrun"})
    QVERIFY2(matchesSearch(run, "float32 stable open", words), words);
  for (const char* words : {"duck", "goose duck", "direct"})
    QVERIFY2(!matchesSearch(run, "float32 stable open", words), words);
}

void tst_run_labels::linfOutlineKeepsThePeak() {
  StoredRun run = test::smallRun();
  const StepRecord first = *run.steps.front();
  run.steps.clear();
  for (int step = 0; step < 200; ++step) {
    auto record = std::make_shared<StepRecord>(first);
    record->step = StepIndex(step);
    record->patchedDistance.linf = step == 77 ? 9.0 : 1.0;
    run.steps.push_back(record);
  }
  record(path(), run);
  const CatalogueRun found = readCatalogueRun(path());
  QCOMPARE(found.steps, 200);
  QCOMPARE(found.linfOutline.size(), std::size_t(64));
  QCOMPARE(std::ranges::count(found.linfOutline, 9.0), 1);
  QCOMPARE(found.linfMedian, 1.0);
}

EQUIPATCH_TEST(tst_run_labels)
#include "tst_run_labels.moc"
