// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

/// Exports may contain the model's name, but never the path of its folder.
class tst_cli_model_names : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void exportsOmitTheModelsFolder_data();
  void exportsOmitTheModelsFolder();
  void patchedCheckpointsOmitTheModelsFolder();
  void sweepsOmitTheModelsFolderOutsideRunFiles();
  void labResultsOmitTheModelsFolder();
  void runFilesStoreTheModelsFolder();
  void cachedModelsAreNamedWithTheirOwner();

 private:
  static constexpr const char* kTelltale = "xyzzyhome";
  QString path(const QString& name) const { return m_folder.filePath(name); }
  QString model() const { return path(QString(kTelltale) + "/models/tiny-gemma"); }
  void record(const QString& model, const QString& run) const;
  /// Looks for a part of the model's path in all files below `folder` except run files.
  /// @returns the file that contains it, or why nothing could be checked, or ""
  QString leaking(const QString& folder) const;
  QTemporaryDir m_folder;
};

void tst_cli_model_names::record(const QString& model, const QString& run) const {
  QCOMPARE(runCommand({"compare", "--model", model, "--ids", "5,6,7", "--steps", "2",
                       "--ignore-eos", "--threads", "1", "--factors", "--out", run})
               .exitCode,
           0);
}

QString tst_cli_model_names::leaking(const QString& folder) const {
  int seen = 0;
  QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
  while (files.hasNext()) {
    const QString name = files.next();
    if (name.endsWith(".eqrun")) continue;
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly)) return "unreadable " + name;
    const QByteArray bytes = file.readAll();
    if (bytes.contains(kTelltale) || bytes.contains(m_folder.path().toUtf8()))
      return name;
    ++seen;
  }
  return seen > 0 ? QString() : "no file in " + folder;
}

void tst_cli_model_names::initTestCase() {
  QVERIFY(QDir().mkpath(model()));
  copyGolden("gemma3_text", model());
  writeFile(model() + "/tokenizer.json", tinyTokenizerJson());
  QVERIFY(QDir().mkpath(path("out")));
  record(model(), path("run.eqrun"));
}

void tst_cli_model_names::exportsOmitTheModelsFolder_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("naming");  // the file that names the model
  const auto row = [&](const QString& format, const char* file, const char* naming,
                       const QStringList& more = {}) {
    QTest::newRow(qPrintable(format))
        << (QStringList{format, path(QString("out/%1").arg(file))} + more)
        << QString(naming);
  };
  row("--csv", "csv", "csv/run.csv");
  row("--latex", "run.tex", "run.tex");
  row("--json", "run.json", "run.json");
  row("--html", "run.html", "run.html");
  row("--npz", "run.npz", "");
  row("--safetensors", "run.safetensors", "");
  row("--peft", "peft", "peft/adapter_config.json", {"--step", "1"});
}

void tst_cli_model_names::exportsOmitTheModelsFolder() {
  QFETCH(QStringList, arguments);
  QFETCH(QString, naming);
  QCOMPARE(
      runCommand(QStringList{"export", "--run", path("run.eqrun")} + arguments).exitCode,
      0);
  QCOMPARE(leaking(path("out")), QString());
  if (naming.isEmpty()) return;
  QFile file(path("out/" + naming));
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().contains("tiny-gemma"));
}

void tst_cli_model_names::patchedCheckpointsOmitTheModelsFolder() {
  QCOMPARE(runCommand({"compare", "--model", model(), "--ids", "5,6,7", "--steps", "1",
                       "--ignore-eos", "--save-patched", path("patched"), "--step", "0"})
               .exitCode,
           0);
  QCOMPARE(leaking(path("patched")), QString());
  QFile note(path("patched/README.md"));
  QVERIFY(note.open(QIODevice::ReadOnly));
  QVERIFY(note.readAll().startsWith("# tiny-gemma, "));
}

void tst_cli_model_names::sweepsOmitTheModelsFolderOutsideRunFiles() {
  writeFile(path("prompts.jsonl"), "\"abc\"\n");
  QCOMPARE(runCommand({"sweep", "--model", model(), "--prompts", path("prompts.jsonl"),
                       "--steps", "1", "--ignore-eos", "--threads", "1", "--out",
                       path("sweep")})
               .exitCode,
           0);
  QCOMPARE(runCommand({"sweep", "--merge", path("sweep")}).exitCode, 0);
  QVERIFY(QFile::exists(path("sweep/summary.csv")));
  QCOMPARE(leaking(path("sweep")), QString());
}

void tst_cli_model_names::labResultsOmitTheModelsFolder() {
  const CommandResult result =
      runCommand({"lab", "words", "--set", "model=" + model(), "--set", "prompt=abcab",
                  "--out", path("lab"), "--json"});
  QCOMPARE(result.exitCode, 0);
  QCOMPARE(leaking(path("lab")), QString());
  QVERIFY(!result.out.contains(kTelltale));
  const QJsonObject origin = result.objects().at(0)["origin"].toObject();
  QCOMPARE(origin["choices"].toObject()["model"].toString(), QString("tiny-gemma"));
}

/// --rerun loads the model from the stored folder, or from the folder given as --model.
void tst_cli_model_names::runFilesStoreTheModelsFolder() {
  const CommandResult again = runCommand({"compare", "--rerun", path("run.eqrun")});
  QCOMPARE(again.exitCode, 0);
  QVERIFY2(again.err.contains("the same to the last bit"), again.err);
  QVERIFY(QDir().rename(model(), path("moved")));
  const CommandResult lost = runCommand({"compare", "--rerun", path("run.eqrun")});
  const CommandResult found =
      runCommand({"compare", "--rerun", path("run.eqrun"), "--model", path("moved")});
  QVERIFY(QDir().rename(path("moved"), model()));
  QCOMPARE(lost.exitCode, 1);
  QVERIFY2(lost.err.contains("give its folder or name here with --model"), lost.err);
  QVERIFY2(found.err.contains("the same to the last bit"), found.err);
}

void tst_cli_model_names::cachedModelsAreNamedWithTheirOwner() {
  const QString snapshot =
      path(QString(kTelltale) + "/hub/models--owner--tiny/snapshots/0123abc");
  QVERIFY(QDir().mkpath(snapshot));
  copyGolden("gemma3_text", snapshot);
  record(snapshot, path("cached.eqrun"));
  QCOMPARE(runCommand({"export", "--run", path("cached.eqrun"), "--peft", path("cached"),
                       "--step", "0"})
               .exitCode,
           0);
  QCOMPARE(leaking(path("cached")), QString());
  QFile file(path("cached/adapter_config.json"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QJsonObject config = QJsonDocument::fromJson(file.readAll()).object();
  QCOMPARE(config["base_model_name_or_path"].toString(), QString("owner/tiny"));
}

EQUIPATCH_TEST(tst_cli_model_names)
#include "tst_cli_model_names.moc"
