// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/export_job.h"

#include <QFile>
#include <QTemporaryDir>
#include <algorithm>

#include "core/base/error.h"
#include "core/record/export/export_run.h"
#include "core/record/export/export_table.h"
#include "core/record/file/run_writer.h"
#include "core/run/backend.h"
#include "core/run/run_job.h"
#include "core/work/worker.h"
#include "tests/core/record/tamper.h"
#include "tests/core/run/tiny_session.h"
#include "tests/core/work/ignoring_listener.h"
#include "tests/support/records.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

struct Told final : ExportSink {
  void exported(const std::string& text) override { sentence = text; }
  std::string sentence;
};

/// Keeps how the last job ended.
struct ExportOutcome final : test::IgnoringListener {
  void jobStarted(Generation, const std::string&) override { problem = "no end"; }
  void jobFinished(Generation) override { problem.clear(); }
  void jobCancelled(Generation) override { problem = "cancelled"; }
  void jobFailed(Generation, const Error& error) override { problem = error.what(); }
  std::string problem;
};

QByteArray bytesOf(const std::filesystem::path& path) {
  QFile file(QString::fromStdString(path.string()));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class tst_export_job : public equipatch::test::TestCase {
  Q_OBJECT

  void prepare() override {
    m_folder = std::make_unique<QTemporaryDir>();
    m_session = test::goldenSession("gemma3_text");
  }

 private Q_SLOTS:
  void runsAreWrittenAsData();
  void aPatchThatIsNotRecordedIsComputedAgain();
  void aCheckpointIsWrittenAndChecked();
  void theCheckpointCheckIgnoresWeightRounding();
  void aTokenTiedWithTheFirstCountsAsAMatch();
  void theCheckIsDescribedInASentence();
  void foreignFilesAreNotReplaced();
  void aDamagedRunIsNamed();
  void patchesThatCannotBeStoredAreRefused();
  void recordedPatchesOfOtherModelsAreRefused();
  void onlyPatchExportsNeedAModel();
  void checkpointSizeAndFreeSpaceAreReported();

 private:
  std::filesystem::path path(const char* name) const {
    return m_folder->filePath(name).toStdString();
  }
  void record(const char* name, RunRequest request, int steps = 5) {
    InlineWorker worker(m_outcome);
    request.prompt = test::tokensOf({5, 17, 3, 40});
    request.steps = steps;
    request.ignoreEndOfSequence = true;
    worker.run(makeRecordedRunJob(
        m_session, request,
        std::make_shared<RunRecorder>(path(name), ExistingFile::Refuse,
                                      std::make_shared<test::NullSink>())));
    QCOMPARE(m_outcome.problem, std::string());
  }
  /// @returns the job's sentence, or its error
  std::string write(const char* run, RunForm form, const char* target, int step = 0,
                    const std::vector<NamedRunFile>& runs = {}) {
    InlineWorker worker(m_outcome);
    const auto told = std::make_shared<Told>();
    worker.run(makeExportJob(
        m_session, {path(run), form, path(target), StepIndex(step), runs}, told));
    return m_outcome.problem.empty() ? told->sentence : m_outcome.problem;
  }

  std::shared_ptr<const Session> m_session;
  ExportOutcome m_outcome;
  std::unique_ptr<QTemporaryDir> m_folder;
};

void tst_export_job::runsAreWrittenAsData() {
  record("run.eqrun", {});
  QVERIFY(
      write("run.eqrun", RunForm::Csv, "tables").starts_with("Wrote the tables of 5"));
  requireOwnTables(path("tables"));
  QCOMPARE(bytesOf(path("tables/steps.csv")).count('\n'), 6);
  record("short.eqrun", {}, 1);
  QVERIFY(write("short.eqrun", RunForm::Csv, "one")
              .starts_with("Wrote the tables of 1 step into the folder"));
  QVERIFY(write("run.eqrun", RunForm::Csv, "both", 0,
                {{"long, one", path("run.eqrun")}, {"short", path("short.eqrun")}})
              .starts_with("Wrote the tables of 2 runs into the folder"));
  requireOwnTables(path("both"));
  QCOMPARE(bytesOf(path("both/steps.csv")).count('\n'), 7);
  QVERIFY(bytesOf(path("both/steps.csv")).contains("\n\"long, one\",4,"));
  QVERIFY(bytesOf(path("both/run.csv")).contains("\nshort,"));
  QVERIFY(write("run.eqrun", RunForm::Latex, "runs.tex", 0,
                {{"long, one", path("run.eqrun")}, {"short", path("short.eqrun")}})
              .starts_with("Wrote "));
  QVERIFY(bytesOf(path("runs.tex")).contains("\nshort & 1 of 1 & "));
  QVERIFY(write("run.eqrun", RunForm::Latex, "run.tex").starts_with("Wrote "));
  QVERIFY(bytesOf(path("run.tex")).contains("\nrun & 5 of 5 & "));
  QVERIFY(write("run.eqrun", RunForm::Npz, "run.npz").starts_with("Wrote "));
  QVERIFY(bytesOf(path("run.npz")).startsWith("PK"));
  QVERIFY(write("run.eqrun", RunForm::Json, "run.json").starts_with("Wrote "));
  QVERIFY(bytesOf(path("run.json")).startsWith("{\"run\": {"));
  // An earlier export of the program is replaced.
  QVERIFY(write("run.eqrun", RunForm::Json, "run.json").starts_with("Wrote "));
  QVERIFY(write("none.eqrun", RunForm::Json, "x.json").find("there is no such run") !=
          std::string::npos);
}

void tst_export_job::aPatchThatIsNotRecordedIsComputedAgain() {
  record("bare.eqrun", {});
  record("whole.eqrun", {.keepFactors = true});
  const std::string sentence = write("bare.eqrun", RunForm::Adapter, "again", 3);
  QVERIFY2(sentence.starts_with("Wrote the patch of step 3 as a LoRA adapter"),
           sentence.c_str());
  QVERIFY(sentence.ends_with("again."));  // no difference to report
  QVERIFY(write("whole.eqrun", RunForm::Adapter, "recorded", 3).starts_with("Wrote"));
  requireOwnAdapter(path("again"));
  for (const char* file : {"adapter_model.safetensors", "patched_parameters.safetensors",
                           "adapter_config.json"}) {
    const QByteArray bytes = bytesOf(path("again") / file);
    QVERIFY2(!bytes.isEmpty() && bytes == bytesOf(path("recorded") / file), file);
  }
  QVERIFY(write("bare.eqrun", RunForm::Adapter, "late", 9).find("step 9") !=
          std::string::npos);
}

void tst_export_job::aCheckpointIsWrittenAndChecked() {
  record("run.eqrun", {});
  const std::string sentence = write("run.eqrun", RunForm::Checkpoint, "saved", 2);
  QVERIFY2(sentence.find("alone, it predicts the contextual pass's token") !=
               std::string::npos,
           sentence.c_str());
  QVERIFY(bytesOf(path("saved/README.md")).contains("with a prompt in its weights"));
  QVERIFY(std::filesystem::file_size(path("saved/model.safetensors")) > 1000);
  test::Patience progress;
  const auto loaded = [&] {
    return checkSaved(*m_session, path("saved"), {{TokenId(1), {{TokenId(0), "x"}}}},
                      progress);
  };
  QVERIFY(loaded().largest > 0.0);
  const auto prompt =
      std::ranges::find(progress.labels, std::string("Reading the prompt"));
  QVERIFY(prompt != progress.labels.end());
  // Reading the prompt does not set the progress bar back to 0.
  QVERIFY(progress.fractions.at(std::size_t(prompt - progress.labels.begin())) >= 0.9);
  QVERIFY(write("run.eqrun", RunForm::Checkpoint, "saved", 2).find("saved") !=
          std::string::npos);
  QVERIFY(!m_outcome.problem.empty());  // the folder is not empty any more
}

/// Adding the patch rounds the saved weights in float64. The comparison of the logits in
/// float32 does not show this rounding.
void tst_export_job::theCheckpointCheckIgnoresWeightRounding() {
  m_session = test::goldenSession("gemma3_text", DType::F64);
  record("run.eqrun", {});
  const std::string sentence = write("run.eqrun", RunForm::Checkpoint, "saved", 2);
  QVERIFY2(sentence.find("differ by at most 0 in float32") != std::string::npos,
           sentence.c_str());
}

void tst_export_job::aTokenTiedWithTheFirstCountsAsAMatch() {
  const std::vector<TokenId> ids{TokenId(1)};
  const NamedTensor logits =
      backend().computeLogits(*m_session, ids, SiteCapture::LogitsOnly).front();
  const TokenId best(std::ranges::max_element(logits.values) - logits.values.begin());
  const auto matches = [&](double logit) {
    const Choice first{TokenId(best.value == 0 ? 1 : 0), "x", logit};
    SilentProgress silent;
    return checkSaved(*m_session, m_session->folder(),
                      {{ids.front(), {first, {best, "y", 5.0}}}}, silent)
        .matches;
  };
  QCOMPARE(matches(5.0), std::size_t{1});
  QCOMPARE(matches(5.5), std::size_t{0});
}

void tst_export_job::theCheckIsDescribedInASentence() {
  const ExpectedToken token{TokenId(569), {}};
  QCOMPARE(sentenceOf({1, 0.04}, {token}),
           std::string("Loaded again and given token 569 alone, it predicts the "
                       "contextual pass's token; the logits of that pass's candidates "
                       "differ by at most 0.04 in float32"));
  QVERIFY(sentenceOf({0, 9.0}, {token}).find("predicts another token than") !=
          std::string::npos);
  QVERIFY(sentenceOf({2, 0.04}, {token, token, token})
              .find("given the 3 tokens without their context, it predicts the "
                    "contextual pass's token after 2 of them; ") != std::string::npos);
}

void tst_export_job::foreignFilesAreNotReplaced() {
  record("run.eqrun", {});
  QFile letter(m_folder->filePath("letter"));
  QVERIFY(letter.open(QIODevice::WriteOnly) && letter.write("Dear reader") > 0);
  letter.close();
  for (const RunForm form : {RunForm::Json, RunForm::Npz}) {
    write("run.eqrun", form, "letter");
    QVERIFY(m_outcome.problem.find("letter") != std::string::npos);
  }
  QCOMPARE(bytesOf(path("letter")), QByteArray("Dear reader"));
  QVERIFY(ownFileOf(RunForm::Npz).marker != ownFileOf(RunForm::Json).marker);
}

void tst_export_job::aDamagedRunIsNamed() {
  record("whole.eqrun", {});
  record("damaged.eqrun", {});
  test::tamper(path("damaged.eqrun"), "DELETE FROM layers WHERE step = 2");
  const std::string problem =
      write("whole.eqrun", RunForm::Csv, "tables", 0,
            {{"a", path("whole.eqrun")}, {"b", path("damaged.eqrun")}});
  QVERIFY2(problem.find("damaged.eqrun: step 2: ") != std::string::npos, problem.c_str());
  // The file has more steps than its run requested.
  test::tamper(path("whole.eqrun"), "UPDATE manifest SET value = 2 WHERE key = 'steps'");
  const std::string late = write("whole.eqrun", RunForm::Adapter, "adapter", 2);
  QVERIFY2(late.find("whole.eqrun is damaged: it has step 2") != std::string::npos,
           late.c_str());
}

void tst_export_job::patchesThatCannotBeStoredAreRefused() {
  RunRequest kept;
  kept.absorbed.keptPrompt = {{1, 1}};
  record("kept.eqrun", kept);
  QVERIFY(write("kept.eqrun", RunForm::Checkpoint, "saved").find("context absorbed") !=
          std::string::npos);
  QVERIFY(!std::filesystem::exists(path("saved")));
  RunRequest half;
  half.strength.alpha = 0.5;
  QVERIFY_ERROR(requireStorablePatch(half), "scales its patch");
}

void tst_export_job::recordedPatchesOfOtherModelsAreRefused() {
  record("run.eqrun", {.keepFactors = true});
  test::tamper(path("run.eqrun"),
               "DELETE FROM digests; UPDATE choices SET id = 1000000000 WHERE step = 1");
  QVERIFY(write("run.eqrun", RunForm::Checkpoint, "odd", 1).find("token 1000000000") !=
          std::string::npos);
  test::tamper(path("run.eqrun"), "DELETE FROM choices WHERE step = 2");
  QVERIFY(write("run.eqrun", RunForm::Checkpoint, "odd", 2).find("predictions") !=
          std::string::npos);
  QVERIFY(std::filesystem::is_empty(path("odd")));
  test::tamper(path("run.eqrun"),
               "UPDATE manifest SET value = 'x' WHERE key = 'config_sha256'");
  QVERIFY(write("run.eqrun", RunForm::Checkpoint, "other").find("other weights") !=
          std::string::npos);
  QVERIFY(!std::filesystem::exists(path("other")));
}

void tst_export_job::onlyPatchExportsNeedAModel() {
  RunHeader header;
  QVERIFY(!needsModel(RunForm::Csv, header) && !needsModel(RunForm::Npz, header));
  QVERIFY(needsModel(RunForm::Adapter, header));
  header.request.keepFactors = true;
  QVERIFY(!needsModel(RunForm::Adapter, header));
  QVERIFY(needsModel(RunForm::Checkpoint, header));
  QVERIFY(isFolder(RunForm::Csv) && !isFolder(RunForm::Json));
  QVERIFY(takesRuns(RunForm::Csv) && takesRuns(RunForm::Latex));
  QVERIFY(!isFolder(RunForm::Latex) && !takesRuns(RunForm::Json));
  QVERIFY(isOfOneStep(RunForm::Adapter) && !isOfOneStep(RunForm::Csv));
}

void tst_export_job::checkpointSizeAndFreeSpaceAreReported() {
  const auto narrow = patchedCheckpointBytes(m_session->checkpoint(), DType::BF16);
  const auto wide = patchedCheckpointBytes(m_session->checkpoint(), DType::F32);
  QVERIFY(wide - narrow >= std::uintmax_t(2 * m_session->parameterCount()));
  QVERIFY(freeBytesAt(path("not/there/yet")) > 0);
}

EQUIPATCH_TEST(tst_export_job)
#include "tst_export_job.moc"
