// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>

#include "tests/app/command_line.h"
#include "tests/support/disk_for_tests.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch::test;

class tst_cli_bench : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void jsonHasTheDocumentedKeys();
  void aShapeNeedsNoWeightFiles();
  void aTableIsPrintedByDefault();
  void coldStartIsMeasuredOnRequest();
  void shapesAreMeasuredFromAFile();
  void errorForAnUnknownShapeListsTheShapes();
  void timesTheVisionTower();
};

void tst_cli_bench::jsonHasTheDocumentedKeys() {
  const CommandResult result =
      runCommand({"bench", "--model", goldenFolder("gemma3_text"), "--threads", "1",
                  "--dtype", "float32", "--steps", "2", "--json"});
  QCOMPARE(result.exitCode, 0);
  const auto objects = result.objects();
  QVERIFY(objects.size() > 5);
  for (const QJsonObject& timing : objects.first(objects.size() - 1)) {
    const QJsonObject ms = timing["ms"].toObject();
    QVERIFY(!timing["timing"].toString().isEmpty());
    QVERIFY(ms["low"].toDouble() > 0.0);
    QVERIFY(ms["low"].toDouble() <= ms["median"].toDouble());
    QVERIFY(ms["median"].toDouble() <= ms["high"].toDouble());
    QVERIFY(timing["rounds"].toInt() > 0);
  }
  const QJsonObject summary = objects.last()["summary"].toObject();
  for (const char* key :
       {"decode_ms", "compare_ms", "ratio", "materialised_ratio", "weight_bytes",
        "step_bytes", "gb_per_s", "bandwidth_gb_per_s", "bandwidth_fraction",
        "prefill_tokens_per_s", "prefill_fraction", "gemm_gflop_per_s", "late_ratio",
        "record_ratio", "rss_peak_bytes", "memory_ratio"})
    QVERIFY2(summary[key].toDouble() > 0.0, key);
  QCOMPARE(summary["threads"].toInt(), 1);
  QCOMPARE(summary["prompt_tokens"].toInt(), 128);
  QVERIFY(!summary.contains("cold_ratio"));
}

void tst_cli_bench::aShapeNeedsNoWeightFiles() {
  QTemporaryDir folder;
  QVERIFY(QFile::copy(goldenFolder("gemma3_text") + "/config.json",
                      folder.filePath("config.json")));
  const CommandResult result = runCommand(
      {"bench", "--shape", folder.path(), "--steps", "1", "--threads", "2", "--json"});
  QCOMPARE(result.exitCode, 0);
  const QJsonObject summary = result.objects().last()["summary"].toObject();
  // 192 × 40 embeddings, 7 layers and the final norm, at two bytes a value.
  const int layer = 4 * 40 + 2 * 16 + 40 * (64 + 16 + 16 + 64) + 3 * 40 * 96;
  QCOMPARE(summary["weight_bytes"].toInt(), 2 * (192 * 40 + 7 * layer + 40));
  QCOMPARE(summary["threads"].toInt(), 2);
}

void tst_cli_bench::aTableIsPrintedByDefault() {
  const CommandResult result = runCommand(
      {"bench", "--shape", goldenFolder("llama2_gqa"), "--steps", "1", "--threads", "1"});
  QCOMPARE(result.exitCode, 0);
  for (const char* part :
       {"llama2_gqa in ", "weights resident", "1 thread", "comparison step / plain step",
        "peak memory / weights", "GB/s"})
    QVERIFY2(result.out.contains(part), result.out);
}

void tst_cli_bench::coldStartIsMeasuredOnRequest() {
  const CommandResult result =
      runCommand({"bench", "--shape", goldenFolder("llama2_gqa"), "--steps", "1",
                  "--threads", "1", "--cold", "--json"});
  if (!hasDisk()) {
    QCOMPARE(stderrProblem(result, 1, "expected a folder on a disk"), QString());
    return;
  }
  if (diskForTests().empty()) QSKIP("the disk has too little room");
  QCOMPARE(result.exitCode, 0);
  QVERIFY(result.objects().last()["summary"].toObject()["cold_ratio"].toDouble() > 0.0);
}

void tst_cli_bench::shapesAreMeasuredFromAFile() {
  const QStringList shape{
      "bench", "--shape", goldenFolder("llama2_gqa"), "--steps", "1", "--threads", "1"};
  const CommandResult result = runCommand(shape + QStringList{"--from-file", "--json"});
  if (!hasDisk()) {
    QCOMPARE(stderrProblem(result, 1, "expected a folder on a disk"), QString());
    return;
  }
  if (diskForTests().empty()) QSKIP("the disk has too little room");
  QCOMPARE(result.exitCode, 0);
  const QJsonObject summary = result.objects().last()["summary"].toObject();
  QCOMPARE(summary["weights"].toString(), QString("resident"));
  for (const char* key : {"plain_on_file_ratio", "compare_on_file_ratio",
                          "cold_load_ratio", "load_fraction"})
    QVERIFY2(summary[key].toDouble() > 0.0, key);
  QCOMPARE(stderrProblem(runCommand(shape + QStringList{"--weights", "mapped"}), 2,
                         "--from-file"),
           QString());
}

void tst_cli_bench::errorForAnUnknownShapeListsTheShapes() {
  const QTemporaryDir resources;
  for (const char* shape : {"shapes/small", "shapes/large"})
    QVERIFY(QDir(resources.path()).mkpath(shape));
  const CommandResult result = runCommand({"bench", "--shape", "huge"},
                                          {"EQUIPATCH_RESOURCES=" + resources.path()});
  QCOMPARE(stderrProblem(result, 1, "large, small"), QString());
}

void tst_cli_bench::timesTheVisionTower() {
  QTemporaryDir folder;
  QVERIFY(QFile::copy(
      QString::fromStdString((data("images/gemma3_mm") / "config.json").string()),
      folder.filePath("config.json")));
  const QStringList bench{"bench", "--steps", "1", "--images", "2", "--json", "--shape"};
  const CommandResult result = runCommand(bench + QStringList{folder.path()});
  QCOMPARE(result.exitCode, 0);
  const auto objects = result.objects();
  const QJsonObject summary = objects.last()["summary"].toObject();
  for (const char* key : {"image_ms", "tower_gflop_per_s", "tower_fraction"})
    QVERIFY2(summary[key].toDouble() > 0.0, key);
  const auto tower = std::ranges::find_if(objects, [](const QJsonObject& object) {
    return object["timing"] == "vision tower";
  });
  QVERIFY(tower != objects.end());
  QCOMPARE((*tower)["rounds"].toInt(), 2);
  // The tower has 64 patches of 3 · 14² numbers, width 32, MLP width 60 and 3 layers. Its
  // output is 4 rows of width 48.
  const double layer = 2.0 * 64 * (4 * 32 * 32 + 2 * 32 * 60) + 2.0 * 2 * 64 * 64 * 32;
  const double operations = 3 * layer + 2.0 * 64 * 32 * 588 + 2.0 * 4 * 32 * 48;
  const double rate = operations / summary["image_ms"].toDouble() / 1e6;
  QVERIFY(std::abs(summary["tower_gflop_per_s"].toDouble() / rate - 1.0) < 1e-6);
  QStringList table = bench + QStringList{folder.path()};
  table.removeOne("--json");
  QVERIFY(runCommand(table).out.contains("in its dtype  "));  // spaces before the number
  QCOMPARE(stderrProblem(runCommand(bench + QStringList{goldenFolder("gemma3_text")}), 1,
                         "no vision tower"),
           QString());
  const QStringList textModel{
      "bench", "--steps", "1", "--images", "1", "--model", goldenFolder("gemma3_text")};
  QCOMPARE(stderrProblem(runCommand(textModel), 1, "takes no images"), QString());
}

EQUIPATCH_TEST(tst_cli_bench)
#include "tst_cli_bench.moc"
