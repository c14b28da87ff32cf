// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFileInfo>
#include <QTemporaryDir>
#include <cmath>

#include "tests/app/command_line.h"
#include "tests/support/largest_difference.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_cli_logits : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void agreesWithTheReference_data();
  void agreesWithTheReference();
  void writesEverySite();
  void leavesNoFileBehindAfterAFailure();
  void errorNamesTheUnwritableFile();
};

namespace {

QStringList arguments(const char* model, const QString& ids, const QString& out) {
  return {"logits", "--model", goldenFolder(model), "--dtype", "float32", "--ids", ids,
          "--out",  out};
}

}  // namespace

void tst_cli_logits::agreesWithTheReference_data() {
  QTest::addColumn<QString>("model");
  for (const char* name : {"llama2_gqa", "llama3_tied", "gemma3_text"})
    QTest::newRow(name) << QString(name);
}

void tst_cli_logits::agreesWithTheReference() {
  QFETCH(QString, model);
  const QByteArray name = model.toUtf8();
  QTemporaryDir folder;
  const QString out = folder.filePath("logits.safetensors");
  const CommandResult result =
      runCommand(arguments(name, idList(goldenTokens(name).prompt), out));
  QCOMPARE(result.err, QByteArray());
  QCOMPARE(result.exitCode, 0);
  const auto tensors = readTensors(out);
  QCOMPARE(tensors.keys(), QStringList{"logits"});
  QCOMPARE(tensors["logits"].dtype, "F32");
  QCOMPARE(tensors["logits"].shape, (QList<qint64>{24, 192}));
  const auto golden = readTensors(goldenFolder(name) + "/golden.safetensors");
  QVERIFY(largestDifference(tensors["logits"].floats(), golden["logits"].floats()) <
          1e-4);
}

void tst_cli_logits::writesEverySite() {
  QTemporaryDir folder;
  const QString out = folder.filePath("sites.safetensors");
  const QString ids = idList(goldenTokens("llama2_gqa").prompt);
  const CommandResult result =
      runCommand(arguments("llama2_gqa", ids, out) + QStringList{"--sites"});
  QCOMPARE(result.exitCode, 0);
  const auto tensors = readTensors(out);
  const auto golden = readTensors(goldenFolder("llama2_gqa") + "/golden.safetensors");
  QCOMPARE(tensors.size(), 1 + 3 * 5);
  for (int layer = 0; layer < 3; ++layer)
    for (const char* site :
         {"resid_pre", "attn_out", "resid_mid", "mlp_out", "resid_post"}) {
      const QString name = QString("%1.%2").arg(site).arg(layer);
      QVERIFY2(tensors.contains(name), qPrintable(name));
      QCOMPARE(tensors[name].shape, (QList<qint64>{24, 48}));
    }
  // transformers calls a block's input hidden_states and has no resid_mid.
  for (const auto& [ours, theirs] : {std::pair{"resid_pre.0", "hidden_states.0"},
                                     {"resid_post.1", "hidden_states.2"},
                                     {"attn_out.1", "attn_out.1"},
                                     {"mlp_out.2", "mlp_out.2"}})
    QVERIFY2(largestDifference(tensors[ours].floats(), golden[theirs].floats()) < 1e-4,
             ours);
}

void tst_cli_logits::leavesNoFileBehindAfterAFailure() {
  QTemporaryDir folder;
  const QString out = folder.filePath("logits.safetensors");
  const CommandResult result = runCommand(arguments("llama2_gqa", "1,192", out));
  QCOMPARE(stderrProblem(result, 1, "192"), QString());
  QVERIFY(QDir(folder.path()).isEmpty());
}

void tst_cli_logits::errorNamesTheUnwritableFile() {
  const CommandResult result =
      runCommand(arguments("llama2_gqa", "1,2", "/nowhere/logits.safetensors"));
  QCOMPARE(stderrProblem(result, 1, "/nowhere/logits.safetensors"), QString());
}

EQUIPATCH_TEST(tst_cli_logits)
#include "tst_cli_logits.moc"
