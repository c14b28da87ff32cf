// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_cli_export : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void recordingChangesNoOutput();
  void existingFilesAreRefusedBeforeLoadingAModel();
  void everyFormatIsWritten_data();
  void everyFormatIsWritten();
  void exportedStepsEqualThePrintedOnes();
  void aPageShowsSeveralRuns();
  void earlierExportsMayBeOverwritten();
  void filesThatAreNoExportsAreNotOverwritten_data();
  void filesThatAreNoExportsAreNotOverwritten();
  void pipesAndHugeFilesAreRefused();
  void misuseIsRefused_data();
  void misuseIsRefused();
  void exportsNeedARunAndAdaptersItsFactors();
  void rerunsAreEqualToTheLastBit();
  void rerunsReportDifferences();

 private:
  QString path(const QString& name) const { return m_folder.filePath(name); }
  QStringList compare(const QStringList& more) const {
    return QStringList{"compare",
                       "--model",
                       goldenFolder("gemma3_text"),
                       "--ids",
                       "5,6,7,8",
                       "--steps",
                       "3",
                       "--ignore-eos",
                       "--noise",
                       "--threads",
                       "1"} +
           more;
  }
  CommandResult exported(const QStringList& more) const {
    return runCommand(QStringList{"export", "--run", path("run.eqrun")} + more);
  }
  QTemporaryDir m_folder;
};

void tst_cli_export::initTestCase() {
  const CommandResult result =
      runCommand(compare({"--out", path("run.eqrun"), "--factors", "--json"}));
  QCOMPARE(result.err, QByteArray());
  QCOMPARE(result.exitCode, 0);
  QVERIFY(QFile::exists(path("run.eqrun")));
}

void tst_cli_export::recordingChangesNoOutput() {
  const auto withoutTimes = [](const CommandResult& result) {
    QList<QJsonObject> lines = result.objects();
    for (QJsonObject& line : lines) {
      for (const char* time : {"ms", "milliseconds"}) line.remove(time);
      QJsonObject summary = line["summary"].toObject();
      summary.remove("ms_per_step");
      if (line.contains("summary")) line["summary"] = summary;
    }
    return lines;
  };
  const auto plain = withoutTimes(runCommand(compare({"--json"})));
  QCOMPARE(plain.size(), 4);
  QCOMPARE(withoutTimes(runCommand(compare({"--json", "--out", path("other.eqrun")}))),
           plain);
}

void tst_cli_export::existingFilesAreRefusedBeforeLoadingAModel() {
  const QStringList again{"compare", "--model", "/nowhere", "--ids", "1", "--out"};
  QCOMPARE(stderrProblem(runCommand(again + QStringList{path("run.eqrun")}), 1,
                         "exists already"),
           QString());
  writeFile(path("letter"), "Dear reader");
  QCOMPARE(stderrProblem(runCommand(again + QStringList{path("letter"), "--force"}), 1,
                         "not a run file"),
           QString());
  QCOMPARE(runCommand(compare({"--out", path("other2.eqrun"), "--json"})).exitCode, 0);
  QCOMPARE(
      runCommand(compare({"--out", path("other2.eqrun"), "--force", "--json"})).exitCode,
      0);
}

void tst_cli_export::everyFormatIsWritten_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QStringList>("files");
  QTest::newRow("csv") << QStringList{"--csv", path("csv")}
                       << QStringList{"csv/run.csv", "csv/steps.csv", "csv/choices.csv",
                                      "csv/layers.csv", "csv/scale_delta.csv"};
  QTest::newRow("latex") << QStringList{"--latex", path("run.tex")}
                         << QStringList{"run.tex"};
  QTest::newRow("json") << QStringList{"--json", path("run.json")}
                        << QStringList{"run.json"};
  QTest::newRow("npz") << QStringList{"--npz", path("run.npz")} << QStringList{"run.npz"};
  QTest::newRow("html") << QStringList{"--html", path("run.html")}
                        << QStringList{"run.html"};
  QTest::newRow("safetensors") << QStringList{"--safetensors", path("run.safetensors"),
                                              "--step", "1"}
                               << QStringList{"run.safetensors"};
  QTest::newRow("peft") << QStringList{"--peft", path("peft"), "--step", "2"}
                        << QStringList{"peft/adapter_config.json",
                                       "peft/adapter_model.safetensors",
                                       "peft/patched_parameters.safetensors",
                                       "peft/reference.json", "peft/verify.py"};
}

void tst_cli_export::everyFormatIsWritten() {
  QFETCH(QStringList, arguments);
  QFETCH(QStringList, files);
  const CommandResult result = exported(arguments);
  QVERIFY2(result.err.startsWith("wrote ") && result.err.count('\n') == 1, result.err);
  QCOMPARE(result.exitCode, 0);
  for (const QString& file : files)
    QVERIFY2(QFileInfo(path(file)).size() > 100, qPrintable(file));
  if (files == QStringList{"run.safetensors"}) {
    const auto tensors = readTensors(path("run.safetensors"));
    QCOMPARE(tensors["step.1.layer.0.W_gate.u"].shape.size(), 1);
    QVERIFY(!tensors.contains("step.0.layer.0.W_gate.u"));
  }
}

void tst_cli_export::exportedStepsEqualThePrintedOnes() {
  const CommandResult printed =
      runCommand(compare({"--out", path("printed.eqrun"), "--json", "--layers-out"}));
  QCOMPARE(runCommand(
               {"export", "--run", path("printed.eqrun"), "--json", path("printed.json")})
               .exitCode,
           0);
  QFile file(path("printed.json"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QJsonObject document = QJsonDocument::fromJson(file.readAll()).object();
  const QJsonArray steps = document["steps"].toArray();
  const auto lines = printed.objects();
  QCOMPARE(steps.size(), 3);
  // A printed verdict uses the noise floor of the steps so far. An exported verdict uses
  // the noise floor of the whole run.
  const auto withoutVerdict = [](QJsonObject step) {
    step.remove("verdict");
    step.remove("verdict_layer");
    return step;
  };
  for (int step = 0; step < 2; ++step)
    QCOMPARE(withoutVerdict(steps[step].toObject()), withoutVerdict(lines[step]));
  QCOMPARE(steps[2].toObject(), lines[2]);
  QCOMPARE(document["summary"].toObject(), lines[3]["summary"].toObject());
}

void tst_cli_export::aPageShowsSeveralRuns() {
  QCOMPARE(runCommand(compare({"--out", path("open.eqrun"), "--loop", "open"})).exitCode,
           0);
  const CommandResult result =
      exported({"--run", path("open.eqrun"), "--html", path("two.html")});
  QVERIFY2(result.err.startsWith("wrote "), result.err);
  const QByteArray page = contentOf(path("two.html"));
  const QByteArray start = "id=\"data\">";
  const qsizetype begin = page.indexOf(start) + start.size();
  const QJsonObject data =
      QJsonDocument::fromJson(page.mid(begin, page.indexOf("</script>", begin) - begin))
          .object();
  const QJsonArray runs = data["runs"].toArray();
  QCOMPARE(runs.size(), 2);
  QCOMPARE(runs[0].toObject()["name"].toString(), QStringLiteral("closed"));
  QCOMPARE(runs[1].toObject()["name"].toString(), QStringLiteral("open"));
  QCOMPARE(runs[1].toObject()["steps"].toArray().size(), 3);
  const CommandResult again =
      runCommand({"export", "--run", path("run.eqrun"), path("open.eqrun"), "--html",
                  path("again.html")});
  QVERIFY2(again.err.startsWith("wrote "), again.err);
  QVERIFY(contentOf(path("again.html")) == page);
}

void tst_cli_export::earlierExportsMayBeOverwritten() {
  const QList<QStringList> all{{"--csv", path("again")},
                               {"--latex", path("again.tex")},
                               {"--json", path("again.json")},
                               {"--npz", path("again.npz")},
                               {"--html", path("again.html")},
                               {"--safetensors", path("again.safetensors")},
                               {"--peft", path("again_peft"), "--step", "1"}};
  for (int time = 0; time < 2; ++time)
    for (const QStringList& one : all) {
      const CommandResult result = exported(one);
      QVERIFY2(result.exitCode == 0, result.err);
    }
}

void tst_cli_export::filesThatAreNoExportsAreNotOverwritten_data() {
  QTest::addColumn<QString>("format");
  QTest::addColumn<QString>("to");
  QTest::addColumn<QString>("existing");
  QTest::newRow("its own run") << "--json"
                               << "run.eqrun"
                               << "run.eqrun";
  QTest::newRow("latex") << "--latex"
                         << "own.tex"
                         << "own.tex";
  QTest::newRow("json") << "--json"
                        << "own.json"
                        << "own.json";
  QTest::newRow("npz") << "--npz"
                       << "own.npz"
                       << "own.npz";
  QTest::newRow("html") << "--html"
                        << "own.html"
                        << "own.html";
  QTest::newRow("safetensors") << "--safetensors"
                               << "own.safetensors"
                               << "own.safetensors";
  QTest::newRow("csv") << "--csv"
                       << "own"
                       << "own/steps.csv";
  QTest::newRow("peft") << "--peft"
                        << "own"
                        << "own/adapter_config.json";
  QTest::newRow("csv, another table") << "--csv"
                                      << "own2"
                                      << "own2/layers.csv";
  QTest::newRow("peft, weights alone") << "--peft"
                                       << "own2"
                                       << "own2/adapter_model.safetensors";
  QTest::newRow("peft, reference") << "--peft"
                                   << "own3"
                                   << "own3/reference.json";
}

void tst_cli_export::filesThatAreNoExportsAreNotOverwritten() {
  QFETCH(QString, format);
  QFETCH(QString, to);
  QFETCH(QString, existing);
  for (const char* folder : {"own", "own2", "own3"}) QDir().mkpath(path(folder));
  QFile file(path(existing));
  if (!file.exists()) {
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"mine\": 1}");
    file.close();
  }
  const auto content = [&] {
    QFile there(path(existing));
    return there.open(QIODevice::ReadOnly) ? there.readAll() : QByteArray();
  };
  const QByteArray before = content();
  QVERIFY(!before.isEmpty());
  QStringList arguments{format, path(to)};
  if (format == QStringLiteral("--peft"))
    arguments << "--step"
              << "1";
  const CommandResult result = exported(arguments);
  QCOMPARE(result.exitCode, 1);
  QVERIFY2(result.err.contains("exists already"), result.err);
  QCOMPARE(content(), before);
}

/// Opening a pipe would block for ever, and a huge file does not fit into memory.
void tst_cli_export::pipesAndHugeFilesAreRefused() {
  const QString pipe = path("pipe"), sparse = path("sparse");
  QCOMPARE(::mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
  const auto refused = [](const QStringList& arguments, const char* part) {
    return stderrProblem(runCommand(arguments), 1, part);
  };
  const char* found = "pipe: expected a run file";
  QCOMPARE(refused({"export", "--run", pipe, "--json", path("new")}, found), QString());
  QCOMPARE(refused({"compare", "--rerun", pipe}, found), QString());
  QCOMPARE(refused({"diff", pipe, path("run.eqrun")}, found), QString());
  for (const char* format : {"--json", "--npz", "--safetensors", "--html"})
    QCOMPARE(refused({"export", "--run", path("run.eqrun"), format, pipe},
                     "pipe exists already"),
             QString());
  QCOMPARE(refused(compare({"--force", "--out", pipe}), "not a run file"), QString());
  QFile file(sparse);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(qint64(1) << 33));
  QCOMPARE(refused({"compare", "--model", goldenFolder("gemma3_text"), "--prompt-file",
                    sparse},
                   "8589934592 bytes"),
           QString());
}

void tst_cli_export::misuseIsRefused_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<int>("exitCode");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const QStringList& arguments, int exitCode,
                      const char* part) {
    QTest::newRow(name) << arguments << exitCode << QString(part);
  };
  row("no format", {}, 2, "--csv");
  row("two formats", {"--json", path("x"), "--npz", path("x")}, 2, "--json");
  row("peft without a step", {"--peft", path("x")}, 2, "--step");
  row("json of one step", {"--json", path("x"), "--step", "1"}, 2, "--step");
  row("several runs as json", {"--run", path("run.eqrun"), "--json", path("x")}, 2,
      "--html");
  row("html of one step", {"--html", path("x"), "--step", "1"}, 2, "--step");
  row("a negative step", {"--peft", path("x"), "--step", "-1"}, 2, "--step");
  row("a step beyond the end", {"--peft", path("x"), "--step", "3"}, 1,
      "its steps are 0 to 2");
  row("a folder that cannot be made", {"--csv", "/proc/x"}, 1, "/proc/x");
}

void tst_cli_export::misuseIsRefused() {
  QFETCH(QStringList, arguments);
  QFETCH(int, exitCode);
  QFETCH(QString, part);
  QCOMPARE(stderrProblem(exported(arguments), exitCode, part), QString());
  QVERIFY(!QFile::exists(path("x")));
}

void tst_cli_export::exportsNeedARunAndAdaptersItsFactors() {
  QCOMPARE(runCommand(compare({"--out", path("light.eqrun"), "--json"})).exitCode, 0);
  QCOMPARE(stderrProblem(runCommand({"export", "--run", path("light.eqrun"), "--peft",
                                     path("x"), "--step", "0"}),
                         1, "--factors"),
           QString());
  QCOMPARE(
      stderrProblem(runCommand({"export", "--run", path("none"), "--json", path("x")}), 1,
                    "none"),
      QString());
}

void tst_cli_export::rerunsAreEqualToTheLastBit() {
  const CommandResult result = runCommand(
      {"compare", "--rerun", path("run.eqrun"), "--json", "--out", path("again.eqrun")});
  QCOMPARE(result.exitCode, 0);
  QCOMPARE(QString::fromUtf8(result.err),
           QString("all 3 steps that both runs have are the same to the last bit\n"));
  QCOMPARE(result.objects().size(), 4);
  // The rerun has recorded the factors too: an adapter needs them.
  QCOMPARE(runCommand({"export", "--run", path("again.eqrun"), "--peft", path("again"),
                       "--step", "0"})
               .exitCode,
           0);
}

void tst_cli_export::rerunsReportDifferences() {
  const CommandResult other =
      runCommand({"compare", "--rerun", path("run.eqrun"), "--model",
                  goldenFolder("gemma2"), "--threads", "2", "--json"});
  QCOMPARE(other.exitCode, 1);
  const QString report = QString::fromUtf8(other.err);
  QVERIFY2(report.contains("config.json differs"), other.err);
  QVERIFY2(report.contains("number of threads is 2 instead of 1"), other.err);
  QVERIFY2(report.contains("step 0 differs"), other.err);
  QCOMPARE(stderrProblem(runCommand({"compare", "--rerun", path("run.eqrun"), "--method",
                                     "direct"}),
                         2, "--method"),
           QString());
  QCOMPARE(stderrProblem(runCommand({"compare", "--ids", "1"}), 2, "--model"), QString());
}

EQUIPATCH_TEST(tst_cli_export)
#include "tst_cli_export.moc"
