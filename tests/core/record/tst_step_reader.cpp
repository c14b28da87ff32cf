// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/step_reader.h"

#include <QTemporaryDir>

#include "core/base/error.h"
#include "core/record/file/run_file.h"
#include "core/record/file/run_writer.h"
#include "tests/core/record/random_runs.h"
#include "tests/core/record/tamper.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// Two layers of width 2 with one patched matrix [3, 2] each.
RunHeader smallHeader() {
  test::RandomRuns random(3);
  RunHeader header = random.header();
  header.layers = header.width = 2;
  header.parameters = {{.name = "layers.0.W_gate", .shape = {3, 2}},
                       {.name = "layers.1.W_gate", .shape = {3, 2}},
                       {.name = "layers.1.mlp_post_norm", .shape = {2}}};
  header.request.keepFactors = true;
  return header;
}

StepRecord smallStep() {
  StepRecord step;
  step.contextual = {{TokenId(1), "a", 2.0, 0.5}, {TokenId(2), "b", 1.0, 0.2}};
  LayerRecord layer;
  layer.matrices = {{"gate", 1.0, 0.1}, {"up", 2.0, 0.2}};
  layer.scaleDelta = {1.0f, 2.0f};
  step.layers = {layer, layer};
  step.layerNoise = {0.1, 0.2};
  LayerFactors factors;
  factors.matrices = {{"W_gate", {1.0, 2.0, 3.0}, {4.0, 5.0}}};
  factors.v = {6.0, 7.0};
  step.factors = std::make_shared<const PatchFactors>(PatchFactors{factors, factors});
  return step;
}

}  // namespace

class tst_step_reader : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void stepsAreReadBack();
  void theErrorNamesTheInvalidPart_data();
  void theErrorNamesTheInvalidPart();
};

void tst_step_reader::stepsAreReadBack() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run").toStdString();
  const RunHeader header = smallHeader();
  StepRecord step = smallStep();
  RunWriter(path, header).add(step);
  const auto database = SqlDatabase::openUntrusted(path);
  StepReader reader(*database, header);
  QVERIFY(*reader.factors(StepIndex(0)) == *step.factors);
  step.factors = nullptr;
  QVERIFY(*reader.record(StepIndex(0)) == step);
  QVERIFY_ERROR(reader.record(StepIndex(1)), "missing");
}

void tst_step_reader::theErrorNamesTheInvalidPart_data() {
  QTest::addColumn<QString>("change");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* change, const char* part) {
    QTest::newRow(change) << QString(change) << QString(part);
  };
  row("DELETE FROM steps", "missing");
  row("UPDATE steps SET match = 7", "column \"match\": expected 0 or 1");
  row("UPDATE steps SET position = -1", "column \"position\"");
  row("UPDATE choices SET rank = 5 WHERE rank = 1", "expected row 1, found row 5");
  row("UPDATE choices SET id = 'x'", "column \"id\"");
  row("DELETE FROM layers WHERE layer = 1", "expected 2 layers, found 1");
  row("UPDATE layers SET layer = 7 WHERE layer = 1", "expected row 1, found row 7");
  row("INSERT INTO layers SELECT step, 2, scale_norm, scale_max, bias_norm, experts, "
      "gate_sum, effect, z_norm, z_cosine, hidden_error, smallest_divisor, hard_case, "
      "guarded, note FROM layers WHERE layer = 1",
      "more layers than the model");
  row("UPDATE matrices SET layer = 9 WHERE layer = 1", "there is no layer 9");
  row("UPDATE matrices SET layer = -1 WHERE layer = 1", "not negative");
  row("UPDATE matrices SET number = 8 WHERE number = 1", "expected row 1, found row 8");
  row("UPDATE vectors SET data = x'0102' WHERE kind = 'scale_delta'", "found 2 bytes");
  row("UPDATE vectors SET data = zeroblob(12) WHERE kind = 'scale_delta'",
      "a vector of 2 numbers, found 12 bytes");
  row("UPDATE vectors SET data = 'text' WHERE kind = 'scale_delta'", "found 0 bytes");
  row("UPDATE vectors SET dtype = 'F64' WHERE kind = 'scale_delta'", "dtype F32");
  row("UPDATE vectors SET layer = 2 WHERE kind = 'scale_delta' AND layer = 1",
      "there is no layer 2");
  row("UPDATE vectors SET data = zeroblob(8) WHERE kind = 'layer_noise'", "2 numbers");
  row("UPDATE vectors SET data = zeroblob(8) WHERE kind = 'u'", "3 numbers");
  row("UPDATE vectors SET weight = 'W_none' WHERE kind = 'u'", "no matrix \"W_none\"");
  row("UPDATE vectors SET weight = 'mlp_post_norm' WHERE kind = 'u' AND layer = 1",
      "no matrix \"mlp_post_norm\"");
  row("UPDATE vectors SET number = 3 WHERE kind = 'u'", "factors are missing");
  row("UPDATE vectors SET number = 3 WHERE kind = 'w'", "factors are missing");
  row("DELETE FROM vectors WHERE kind = 'w'", "factors are missing");
  row("UPDATE vectors SET data = zeroblob(40) WHERE kind = 'v'", "2 numbers");
}

void tst_step_reader::theErrorNamesTheInvalidPart() {
  QFETCH(QString, change);
  QFETCH(QString, part);
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run.eqrun").toStdString();
  RunWriter(path, smallHeader()).add(smallStep());
  test::tamper(path, change);
  const auto database = SqlDatabase::openUntrusted(path);
  const RunHeader header = smallHeader();
  StepReader reader(*database, header);
  const auto read = [&] {
    reader.record(StepIndex(0));
    reader.factors(StepIndex(0));
  };
  QVERIFY_ERROR(read(), part);
}

EQUIPATCH_TEST(tst_step_reader)
#include "tst_step_reader.moc"
