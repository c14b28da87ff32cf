// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

namespace {

CommandResult runTrainer(const QStringList& arguments) {
  QProcess process;
  process.start(QStringLiteral(EQUIPATCH_TRAINER), arguments);
  CommandResult result;
  if (process.waitForFinished(120'000) && process.exitStatus() == QProcess::NormalExit)
    result.exitCode = process.exitCode();
  process.kill();
  process.waitForFinished();
  result.out = process.readAllStandardOutput();
  result.err = process.readAllStandardError();
  return result;
}

}  // namespace

/// The recipe of scripts/train-bundled-model on a small scale.
class tst_trainer_program : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    const CommandResult result =
        runTrainer({"vocabulary", "--words", m_words, "--out", m_model, "--pieces", "400",
                    "--documents", "300"});
    QCOMPARE(result.exitCode, 0);
  }

  void printsDocuments() {
    const QStringList arguments = {"documents", "--words", m_words, "--count", "3"};
    const CommandResult result = runTrainer(arguments);
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.out.count('['), 3);
    QCOMPARE(runTrainer(arguments).out, result.out);
    const CommandResult heldOut = runTrainer(arguments + QStringList{"--held-out"});
    QCOMPARE(heldOut.out.count('['), 3);
    QVERIFY(heldOut.out != result.out);
  }

  void leadingZerosMakeNoOctalNumber() {
    const QStringList documents = {"documents", "--words", m_words};
    QCOMPARE(runTrainer(documents + QStringList{"--count", "010"}).out.count('['), 10);
    const CommandResult ten = runTrainer(documents + QStringList{"--seed", "10"});
    QCOMPARE(ten.out.count('['), 20);
    QCOMPARE(runTrainer(documents + QStringList{"--seed", "010"}).out, ten.out);
    QCOMPARE(stderrProblem(runTrainer(documents + QStringList{"--seed", "0x10"}), 105,
                           "--seed: expected a whole number in digits"),
             QString());
    const CommandResult scenes = runTrainer(
        {"scenes", "--out", m_folder.filePath("ten scenes"), "--count", "010"});
    QCOMPARE(scenes.out.count(".png"), 10);
  }

  void anInterruptedTrainingGivesTheSameFile() {
    const QString state = m_folder.filePath("state.safetensors");
    QCOMPARE(runTrainer(training(state)).exitCode, 0);
    const QByteArray whole = contentOf(m_model + "/model.safetensors");
    QVERIFY(!whole.isEmpty());
    QVERIFY(contentOf(m_model + "/held-out-loss.csv").count('\n') == 2);

    const QString other = m_folder.filePath("other.safetensors");
    QCOMPARE(runTrainer(training(other) + QStringList{"--stop-after", "2"}).exitCode, 0);
    QVERIFY(contentOf(m_model + "/model.safetensors") != whole);
    QCOMPARE(runTrainer(training(other)).exitCode, 0);
    QVERIFY(contentOf(m_model + "/model.safetensors") == whole);

    QCOMPARE(runTrainer(training(other) + QStringList{"--stop-after", "9"}).exitCode, 0);
    QVERIFY(contentOf(m_model + "/model.safetensors") == whole);  // --steps is 4

    QVERIFY(QFile::remove(m_model + "/model.safetensors"));
    QCOMPARE(runTrainer(training(other)).exitCode, 0);  // no step is left
    QVERIFY(contentOf(m_model + "/model.safetensors") == whole);
  }

  void aResumedTrainingCompletesTheLossTable() {
    const QString state = m_folder.filePath("measured.safetensors");
    const QString losses = m_model + "/held-out-loss.csv";
    QFile::remove(losses);
    QVERIFY(QDir().mkdir(losses));
    const CommandResult refused = runTrainer(training(state));
    QCOMPARE(refused.exitCode, 1);
    QVERIFY2(refused.err.contains("held-out-loss.csv"), refused.err.constData());
    QVERIFY(QDir().rmdir(losses));
    QCOMPARE(runTrainer(training(state)).exitCode, 0);
    QVERIFY(contentOf(losses).contains("\n4,"));
    writeFile(losses, contentOf(losses) + "500,1,1,1\n");  // beyond the state's last step
    QCOMPARE(runTrainer(training(state)).exitCode, 0);
    QCOMPARE(contentOf(losses).count('\n'), 2);
    QVERIFY(contentOf(losses).contains("\n4,"));
  }

  void anUnwritableStateEndsTheTrainingBeforeItsSteps() {
    const QByteArray losses = contentOf(m_model + "/held-out-loss.csv");
    QCOMPARE(stderrProblem(runTrainer(training(m_folder.filePath("absent/state"))), 1,
                           "there is no folder"),
             QString());
    QCOMPARE(contentOf(m_model + "/held-out-loss.csv"), losses);
  }

  void theProgramRunsTheTrainedModel() {
    const QString state = m_folder.filePath("state.safetensors");
    QCOMPARE(runTrainer(training(state)).exitCode, 0);
    const auto lines = runCommand({"compare", "--model", m_model, "--prompt", "a cat",
                                   "--steps", "4", "--dtype", "float32", "--json"})
                           .objects();
    QVERIFY(!lines.isEmpty());
    const QJsonObject summary = lines.back()["summary"].toObject();
    QVERIFY(summary["steps"].toInt() > 0);
    QCOMPARE(summary["matches"], summary["steps"]);
  }

  void evaluationResultsAreWrittenToTheCard() {
    const QString state = m_folder.filePath("state.safetensors");
    QCOMPARE(runTrainer(training(state)).exitCode, 0);
    const QString card = m_folder.filePath("card.md");
    writeFile(card, "Title\n");  // refused before anything is measured
    QCOMPARE(stderrProblem(runTrainer({"evaluate", "--words", m_words, "--model", m_model,
                                       "--prompts", "1", "--card", card}),
                           1, "measured: begin"),
             QString());
    writeFile(card, "Title\n<!-- measured: begin -->\n<!-- measured: end -->\n");
    // An unwritable place is refused before the model is read.
    QCOMPARE(stderrProblem(runTrainer({"evaluate", "--model", "none", "--mistakes",
                                       m_folder.filePath("none/mistakes.txt")}),
                           1, "none/mistakes.txt"),
             QString());
    const QString mistakes = m_folder.filePath("mistakes.txt");
    const CommandResult result =
        runTrainer({"evaluate", "--words", m_words, "--model", m_model, "--prompts", "1",
                    "--card", card, "--mistakes", mistakes});
    QCOMPARE(result.exitCode, 0);
    QVERIFY(result.out.contains("| forecast |"));
    QVERIFY(contentOf(card).contains(result.out));
    QVERIFY(contentOf(mistakes).startsWith("forecast: "));  // after only four steps
    QVERIFY(contentOf(mistakes).contains("\n  expected:\n"));
  }

  void scenesAreDrawnAndAskedAbout() {
    const QString out = m_folder.filePath("scenes");
    const QStringList arguments = {"scenes", "--out", out, "--count", "2"};
    const CommandResult result = runTrainer(arguments);
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.out.count("Describe the picture. "), 2);
    QVERIFY(contentOf(out + "/1.png").startsWith("\x89PNG"));
    const CommandResult heldOut = runTrainer(arguments + QStringList{"--held-out"});
    QCOMPARE(heldOut.out.count("Describe the picture. "), 2);
    QVERIFY(heldOut.out != result.out);
  }

  /// The recipe of scripts/train-bundled-vision-model on a small scale.
  void aVisionModelIsTrainedAndExamined() {
    const QString model = m_folder.filePath("seeing");
    const QStringList train = {"train-vision",
                               "--out",
                               model,
                               "--state",
                               m_folder.filePath("seeing.safetensors"),
                               "--steps",
                               "2",
                               "--scenes",
                               "2"};
    QCOMPARE(runTrainer(train + QStringList{"--stop-after", "1"}).exitCode, 0);
    const QByteArray half = contentOf(model + "/model.safetensors");
    QVERIFY(!half.isEmpty());
    QCOMPARE(runTrainer(train).exitCode, 0);
    QVERIFY(contentOf(model + "/model.safetensors") != half);
    const QString card = m_folder.filePath("seeing.md");
    writeFile(card, "<!-- measured: begin -->\n<!-- measured: end -->\n");
    const CommandResult result =
        runTrainer({"evaluate", "--model", model, "--prompts", "1", "--card", card});
    QCOMPARE(result.exitCode, 0);
    QVERIFY(result.out.contains("| neighbour |"));
    QVERIFY(contentOf(card).contains(result.out));
  }

  void impossibleNumbersAreRefused() {
    const QString state = m_folder.filePath("none.safetensors");
    for (const char* option : {"--shards", "--threads", "--stop-after"}) {
      const CommandResult result = runTrainer(training(state) + QStringList{option, "0"});
      QVERIFY(result.exitCode > 0);
      QCOMPARE(stderrProblem(result, result.exitCode, option), QString());
    }
    for (const char* rate : {"0", "-0.003", "nan", "inf"}) {
      const CommandResult result =
          runTrainer(training(state) + QStringList{"--rate", rate});
      QCOMPARE(stderrProblem(result, 105, "--rate: expected a finite number"), QString());
    }
    const CommandResult result =
        runTrainer({"train-vision", "--out", m_folder.filePath("none"), "--state", state,
                    "--steps", "1", "--scenes", "0"});
    QVERIFY(result.exitCode > 0);
    QCOMPARE(stderrProblem(result, result.exitCode, "above 0"), QString());
    const CommandResult scenes =
        runTrainer({"train-vision", "--out", m_folder.filePath("none"), "--state", state,
                    "--steps", "1", "--scenes", "1000000000000000"});
    QCOMPARE(stderrProblem(scenes, 105, "at most 4096"), QString());
    for (const auto& [option, bound] : {std::pair("--shards", "at most 1024"),
                                        std::pair("--tokens", "at most 65536")}) {
      const CommandResult huge =
          runTrainer({"train", "--words", m_words, "--out", m_model, "--state", state,
                      "--steps", "1", option, "1000000000000"});
      QCOMPARE(stderrProblem(huge, 105, bound), QString());
    }
  }

  /// The embeddings of 400 pieces in this width need 1.6 PB, more than a process can
  /// address.
  void aTooLargeNetworkGivesAnErrorSentence() {
    const CommandResult result =
        runTrainer({"train", "--words", m_words, "--out", m_model, "--state",
                    m_folder.filePath("large.safetensors"), "--steps", "1", "--width",
                    "1000000000000"});
    QCOMPARE(stderrProblem(result, 1, "memory ran out"), QString());
  }

  void errorsAreOneLine() {
    const CommandResult result =
        runTrainer({"documents", "--words", m_folder.filePath("absent")});
    QCOMPARE(stderrProblem(result, 1, "absent"), QString());
    QVERIFY(runTrainer({"no-such-command"}).exitCode > 0);
    const QString file = m_folder.filePath("file");
    writeFile(file, "");
    QCOMPARE(stderrProblem(runTrainer({"scenes", "--out", file + "/scenes"}), 1,
                           "choose another place"),
             QString());
    QCOMPARE(stderrProblem(runTrainer({"evaluate", "--model", m_model}), 1, "--words"),
             QString());
  }

 private:
  QStringList training(const QString& state) const {
    return {"train", "--words",  m_words, "--out",       m_model, "--state",
            state,   "--steps",  "4",     "--tokens",    "200",   "--width",
            "32",    "--layers", "2",     "--mlp-width", "32"};
  }

  QTemporaryDir m_folder;
  QString m_words = QStringLiteral(EQUIPATCH_WORDS);
  QString m_model = m_folder.filePath("model");
};

EQUIPATCH_TEST(tst_trainer_program)
#include "tst_trainer_program.moc"
