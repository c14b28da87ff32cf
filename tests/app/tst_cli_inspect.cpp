// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_cli_inspect : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void printsADescriptionOfTheModel_data() { models(); }
  void printsADescriptionOfTheModel();
  void printsJson();
  void countsTheStoredParameters_data() { models(); }
  void countsTheStoredParameters();
  void reportsUnreadKeys();
  void namesTheTokenizersFile();
  void aDamagedChatTemplateIsReported();
  void refusesATruncatedFile();

 private:
  static void models();
};

void tst_cli_inspect::models() {
  QTest::addColumn<QString>("model");
  for (const char* name : {"llama2_gqa", "llama3_tied", "gemma3_text"})
    QTest::newRow(name) << QString(name);
}

void tst_cli_inspect::printsADescriptionOfTheModel() {
  QFETCH(QString, model);
  const CommandResult result =
      runCommand({"inspect", "--model", goldenFolder(qPrintable(model))});
  QCOMPARE(result.err, QByteArray());
  QCOMPARE(result.exitCode, 0);
  for (const char* part :
       {"ForCausalLM", "W_gate", "W_up", "W_down", "bfloat16", "unused keys",
        "never changed", "Lemma", "chat template", "template sandbox",
        "✓ architecture equals Hugging Face's within"})
    QVERIFY2(result.out.contains(part), part);
}

void tst_cli_inspect::printsJson() {
  const auto objects =
      runCommand({"inspect", "--model", goldenFolder("gemma3_text"), "--json"}).objects();
  QCOMPARE(objects.size(), 1);
  const QJsonObject model = objects[0]["model"].toObject();
  QCOMPARE(model["layers"].toInt(), 7);
  QCOMPARE(model["vocabulary"].toInt(), 192);
  QCOMPARE(model["positions"].toInt(), 128);
  const QJsonObject plan = objects[0]["plan"].toObject();
  QCOMPARE(plan["closes_with_scale"].toBool(), true);
  QCOMPARE(plan["matrices"].toArray(), (QJsonArray{"gate", "up", "down"}));
  QVERIFY(!plan["parameters"].toArray().isEmpty());
  for (const auto& parameter : plan["parameters"].toArray())
    for (const char* key : {"parameter", "change", "theorem", "methods"})
      QVERIFY2(!parameter.toObject()[key].toString().isEmpty(), key);
  QCOMPARE(objects[0]["tokenizer"].toBool(true), false);
  QCOMPARE(objects[0]["chat_template"].toBool(true), false);
  const QJsonObject sandbox = objects[0]["template_sandbox"].toObject();
  for (const char* key : {"no_files", "no_network", "no_other_processes", "seccomp"})
    QVERIFY2(sandbox[key].isBool(), key);
  QVERIFY(sandbox["landlock"].toInt(-1) >= 0);
  QVERIFY(!sandbox["sentence"].toString().isEmpty());
  QCOMPARE(objects[0]["parity"].toObject()["state"].toString(), QString("equal"));
  QVERIFY(!plan["untouched"].toArray().isEmpty());
  QVERIFY(objects[0]["unread_keys"].isArray());
  QVERIFY(objects[0]["unread_tensors"].isArray());
  QVERIFY(objects[0]["ignored_tensors"].isArray());
}

void tst_cli_inspect::countsTheStoredParameters() {
  QFETCH(QString, model);
  const QString folder = goldenFolder(qPrintable(model));
  qint64 elements = 0;
  for (const StoredTensor& tensor : readTensors(folder + "/model.safetensors")) {
    qint64 count = 1;
    for (const qint64 extent : tensor.shape) count *= extent;
    elements += count;
  }
  const QJsonObject card =
      runCommand({"inspect", "--model", folder, "--json"}).objects().value(0);
  const QJsonObject counted = card["model"].toObject();
  QCOMPARE(counted["parameters"].toInteger(), elements);
  QCOMPARE(counted["memory_bytes"].toObject()["float64"].toInteger(), 8 * elements);
  QCOMPARE(counted["memory_bytes"].toObject()["bfloat16"].toInteger(), 2 * elements);
}

void tst_cli_inspect::reportsUnreadKeys() {
  QTemporaryDir folder;
  copyGolden("llama2_gqa", folder.path());
  QFile config(folder.filePath("config.json"));
  QVERIFY(config.open(QIODevice::ReadOnly));
  const QByteArray changed = config.readAll().replace("{", "{\"novel_key\": 1, ");
  writeFile(folder.filePath("config.json"), changed);
  const CommandResult result = runCommand({"inspect", "--model", folder.path()});
  QCOMPARE(result.exitCode, 0);
  QVERIFY2(result.out.contains("novel_key"), result.out);
}

void tst_cli_inspect::namesTheTokenizersFile() {
  QTemporaryDir folder;
  copyGolden("llama2_gqa", folder.path());
  QVERIFY(runCommand({"inspect", "--model", folder.path()})
              .out.contains("tokenizer          none"));
  writeFile(folder.filePath("tokenizer.json"), tinyTokenizerJson());
  const QStringList inspect{"inspect", "--model", folder.path()};
  QVERIFY(runCommand(inspect).out.contains("tokenizer.json (Hugging Face tokenizers)"));
  const QJsonObject card = runCommand(inspect + QStringList{"--json"}).objects().value(0);
  QVERIFY(card["tokenizer"].toBool());
  QVERIFY(card["tokenizer_file"].toString().startsWith("tokenizer.json"));
}

void tst_cli_inspect::aDamagedChatTemplateIsReported() {
  QTemporaryDir folder;
  copyGolden("llama2_gqa", folder.path());
  const QStringList inspect{"inspect", "--model", folder.path(), "--json"};
  QJsonObject card = runCommand(inspect).objects().value(0);
  QCOMPARE(card["chat_template_problem"].toString("absent"), QString());
  writeFile(folder.filePath("tokenizer_config.json"), "{");
  card = runCommand(inspect).objects().value(0);
  QCOMPARE(card["chat_template"].toBool(true), false);
  QVERIFY(card["chat_template_problem"].toString().contains("tokenizer_config.json"));
  QCOMPARE(card["model"].toObject()["layers"].toInt(), 3);
}

void tst_cli_inspect::refusesATruncatedFile() {
  QTemporaryDir folder;
  copyGolden("llama2_gqa", folder.path());
  QFile weights(folder.filePath("model.safetensors"));
  QVERIFY(weights.resize(weights.size() - 1));
  const CommandResult result = runCommand({"inspect", "--model", folder.path()});
  QCOMPARE(stderrProblem(result, 1, "model.safetensors"), QString());
}

EQUIPATCH_TEST(tst_cli_inspect)
#include "tst_cli_inspect.moc"
