// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <cmath>

#include "tests/app/command_line.h"
#include "tests/support/image_model.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch::test;

namespace {

QString goldenImage(const char* name) {
  return QString::fromStdString((data("images/gemma3_mm") / name).string());
}

}  // namespace

/// `image-map`, on a tiny Gemma 3 whose images have 2 × 2 tokens.
class tst_cli_image_map : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    m_model = path("model");
    writeImageModel(m_model.toStdString());
  }
  void mapsAnImage();
  void reportsPatchChangesOverAnImage();
  void aStepAfterTheTextsEndIsRefused();

 private:
  QString path(const char* name) const { return m_folder.filePath(name); }
  QStringList mapCommand(const QString& command = "image-map") const {
    return {command,
            "--model",
            m_model,
            "--dtype",
            "float32",
            "--prompt",
            "a<start_of_image>b",
            "--image",
            goldenImage("image0.png")};
  }

  QTemporaryDir m_folder;
  QString m_model;
};

void tst_cli_image_map::mapsAnImage() {
  const QString out = path("map.json");
  const QStringList command = mapCommand();
  // The default is 2 cells on a side, because neither 4 nor 3 divides the 2 tokens that
  // the image has on a side.
  const CommandResult result = runCommand(command + QStringList{"--json", "--out", out});
  QCOMPARE(result.exitCode, 0);
  QVERIFY2(result.err.contains("11 tokens are read 5 times"), result.err.constData());
  const auto lines = result.objects();
  QCOMPARE(lines.size(), 5);
  QCOMPARE(lines[0]["kept"].toString(), "nothing");
  QCOMPARE(lines[3]["row"].toInt(), 1);
  QCOMPARE(lines[3]["column"].toInt(), 0);
  for (const QJsonObject& line : lines) {
    QVERIFY(line["match"].toBool());
    for (const char* key : {"bare_linf", "bare_tvd", "dw"})
      QVERIFY2(line[key].toDouble() > 0.0, key);
  }
  QCOMPARE(QJsonDocument::fromJson(contentOf(out))["panels"].toArray().size(), 3);
  const CommandResult table =
      runCommand(command + QStringList{"--cells", "1", "--step", "2", "--out", out});
  QVERIFY2(table.err.endsWith("\nwrote " + out.toUtf8() + '\n'), table.err);
  QVERIFY(table.out.contains("TVD of the bare pass; nothing kept: "));
  QVERIFY2(table.out.contains("\nThe lower a cell's number, the more "), table.out);
  QCOMPARE(stderrProblem(runCommand(command + QStringList{"--cells", "3"}), 1,
                         "do not divide"),
           QString());
}

void tst_cli_image_map::reportsPatchChangesOverAnImage() {
  const QString out = path("growth.json");
  const QStringList command = mapCommand() + QStringList{"--growth"};
  const CommandResult result = runCommand(command + QStringList{"--json", "--out", out});
  QCOMPARE(result.exitCode, 0);
  QVERIFY2(result.err.contains("11 tokens are read 1 time, then 10 passes of one token"),
           result.err.constData());
  const auto lines = result.objects();
  QCOMPARE(lines.size(), 4);
  QCOMPARE(lines[2]["row"].toInt(), 1);
  QCOMPARE(lines[2]["column"].toInt(), 0);
  for (const QJsonObject& line : lines) {
    double squares = 0.0;
    for (const QJsonValue layer : line["dw_change_layers"].toArray())
      squares += layer.toDouble() * layer.toDouble();
    QVERIFY(squares > 0.0);
    QVERIFY(std::abs(line["dw_change"].toDouble() - std::sqrt(squares)) < 1e-9);
  }
  QCOMPARE(QJsonDocument::fromJson(contentOf(out))["panels"].toArray().size(), 2);
  QVERIFY(runCommand(command).out.contains(
      "as the context grows, all layers\nThe higher a number, the more "));
  QCOMPARE(runCommand(command + QStringList{"--cells", "2"}).exitCode, 2);
}

/// The test makes the first generated token the model's end of sequence.
void tst_cli_image_map::aStepAfterTheTextsEndIsRefused() {
  const auto lines =
      runCommand(mapCommand("compare") + QStringList{"--steps", "1", "--json"}).objects();
  QVERIFY(!lines.isEmpty());
  const QString settings = m_model + "/generation_config.json";
  writeFile(settings, "{\"eos_token_id\": " +
                          QByteArray::number(lines[0]["token_id"].toInteger()) + "}");
  const CommandResult result = runCommand(mapCommand() + QStringList{"--step", "1"});
  QVERIFY(QFile::remove(settings));
  QCOMPARE(result.exitCode, 1);
  QVERIFY2(result.err.contains("the text ends after 1 step, so it has no step 1"),
           result.err.constData());
}

EQUIPATCH_TEST(tst_cli_image_map)
#include "tst_cli_image_map.moc"
