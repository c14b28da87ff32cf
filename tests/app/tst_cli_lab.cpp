// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_cli_lab : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void listsTheExperiments();
  void writesTheResult();
  void anEarlierResultIsRenamed();
  void foreignFilesAreNotOverwritten();
  void aSeedGivesTheSameNumbers();
  void misuseIsReported_data();
  void misuseIsReported();
  void misuseMakesNoFolder();

 private:
  static QStringList tiny() {
    return {"lab",   "theorem", "--set", "steps=3", "--set", "pairs=4",
            "--set", "tasks=3", "--set", "grid=2",  "--json"};
  }
};

void tst_cli_lab::listsTheExperiments() {
  const CommandResult result = runCommand({"lab", "list"});
  QCOMPARE(result.exitCode, 0);
  for (const char* name : {"theorem:", "convergence:", "fine-tuning:", "stack:", "rnn:",
                           "factorisation:", "positions:", "categorical:", "words:"})
    QVERIFY2(result.out.contains(name), name);
  const CommandResult paper = runCommand({"lab", "list", "--paper"});
  QCOMPARE(paper.exitCode, 0);
  QVERIFY(paper.out.contains("theorem:") && paper.out != result.out);
  const auto objects = runCommand({"lab", "list", "--json"}).objects();
  QCOMPARE(objects.size(), 9);
  QCOMPARE(objects[0]["experiment"].toString(), QString("theorem"));
  QJsonValue steps;
  for (const QJsonValue setting : objects[0]["settings"].toArray())
    if (setting["name"] == "steps") steps = setting["value"];
  QCOMPARE(steps, QJsonValue(2000));
}

void tst_cli_lab::writesTheResult() {
  QTemporaryDir folder;
  const QString out = folder.filePath("new/folder");
  const CommandResult result = runCommand(tiny() + QStringList{"--out", out});
  QCOMPARE(result.err, QByteArray());
  QCOMPARE(result.exitCode, 0);
  const auto lines = result.objects();
  QCOMPARE(lines.size(), 1);
  QCOMPARE(lines[0]["experiment"].toString(), QString("theorem"));
  QVERIFY(!lines[0].contains("panels"));
  QStringList asTable = tiny();
  asTable.removeLast();  // --json
  const CommandResult table = runCommand(asTable + QStringList{"--out", out});
  QVERIFY2(table.err.endsWith(("\nwrote " + out + "/theorem.json\n").toUtf8()),
           table.err);
  QFile file(out + "/theorem.json");
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QJsonObject saved = QJsonDocument::fromJson(file.readAll()).object();
  QVERIFY(saved["finished"].toBool());
  QCOMPARE(saved["scalars"], lines[0]["scalars"]);
  QCOMPARE(saved["origin"].toObject()["setting"].toString(), QString("own"));
  QVERIFY(saved["panels"].toArray().size() >= 4);
}

void tst_cli_lab::anEarlierResultIsRenamed() {
  QTemporaryDir folder;
  for (const char* seed : {"1", "2"}) {
    const CommandResult result =
        runCommand(tiny() + QStringList{"--seed", seed, "--out", folder.path()});
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.err.contains("the earlier result was renamed to"), *seed == '2');
  }
  QList<qint64> seeds;
  const QStringList files =
      QDir(folder.path())
          .entryList({QStringLiteral("theorem*.json")}, QDir::Files, QDir::Name);
  for (const QString& name : files) {
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    seeds << QJsonDocument::fromJson(file.readAll())["origin"]["seed"].toInteger();
  }
  QCOMPARE(files.size(), 2);
  QVERIFY(files.contains(QStringLiteral("theorem.json")));
  QVERIFY(seeds.contains(1) && seeds.contains(2));
}

void tst_cli_lab::foreignFilesAreNotOverwritten() {
  QTemporaryDir folder;
  QFile file(folder.filePath(QStringLiteral("theorem.json")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("{}");
  file.close();
  const CommandResult result = runCommand(tiny() + QStringList{"--out", folder.path()});
  QCOMPARE(result.exitCode, 1);
  QVERIFY2(result.err.contains("theorem.json exists already"), result.err);
  QCOMPARE(file.size(), 2);
}

void tst_cli_lab::aSeedGivesTheSameNumbers() {
  const auto scalars = [](const char* seed) {
    return runCommand(tiny() + QStringList{"--seed", seed}).objects().at(0)["scalars"];
  };
  QCOMPARE(scalars("5"), scalars("5"));
  QVERIFY(scalars("5") != scalars("6"));
}

void tst_cli_lab::misuseIsReported_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("part");
  QTest::newRow("no name") << QStringList{} << "NAME";
  QTest::newRow("name") << QStringList{"magic"} << "magic";
  QTest::newRow("setting") << QStringList{"theorem", "--set", "depth=3"} << "depth";
  QTest::newRow("no value") << QStringList{"theorem", "--set", "steps"} << "name=value";
  QTest::newRow("seed") << QStringList{"theorem", "--seed", "-1"} << "--seed";
  QTest::newRow("bounds") << QStringList{"theorem", "--set", "steps=0"} << "steps";
  QTest::newRow("both") << QStringList{"theorem", "--paper", "--quick"} << "--paper";
  QTest::newRow("all") << QStringList{"all", "--set", "steps=3"} << "--set";
  QTest::newRow("list set") << QStringList{"list", "--set", "steps=3"} << "--set";
  QTest::newRow("list seed") << QStringList{"list", "--seed", "3"} << "--seed";
  QTest::newRow("list threads") << QStringList{"list", "--threads", "1"} << "--threads";
  QTest::newRow("list out") << QStringList{"list", "--out", "folder"} << "--out";
}

void tst_cli_lab::misuseIsReported() {
  QFETCH(QStringList, arguments);
  QFETCH(QString, part);
  QCOMPARE(stderrProblem(runCommand(QStringList{"lab"} + arguments), 2, part), QString());
}

void tst_cli_lab::misuseMakesNoFolder() {
  QTemporaryDir folder;
  const QString out = folder.filePath(QStringLiteral("results"));
  for (const QStringList& arguments : {QStringList{"theorem", "--set", "depth=3"},
                                       QStringList{"all", "--set", "steps=3"}}) {
    const QStringList withFolder =
        QStringList{"lab"} + arguments + QStringList{"--out", out};
    QCOMPARE(runCommand(withFolder).exitCode, 2);
    QVERIFY(!QFile::exists(out));
  }
}

EQUIPATCH_TEST(tst_cli_lab)
#include "tst_cli_lab.moc"
