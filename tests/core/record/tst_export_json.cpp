// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_json.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <cmath>

#include "tests/core/record/small_run.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

QJsonObject exported(const StoredRun& run) {
  const QTemporaryDir folder;
  exportJson(run, folder.filePath("run.json").toStdString());
  QFile file(folder.filePath("run.json"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QJsonDocument::fromJson(file.readAll()).object();
}

}  // namespace

class tst_export_json : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aRunIsExportedAsOneJsonDocument();
  void verdictsUseTheNoiseFloorOfTheRun();
  void roundingThatIsNaNIsNull();
  void aRunWithoutStepsHasNoStepsAndNullTotals();
  void stepsHaveTheirKeys();
  void absentMeasurementsAreLeftOut();
  void layersAreWrittenOnRequest();
  void layersHaveTheirKeys();
  void summariesCountMatchesAndSampledMatches();
  void settingsHaveTheirNames();
  void jsonLineReplacesInvalidBytes();
};

void tst_export_json::aRunIsExportedAsOneJsonDocument() {
  const QJsonObject document = exported(test::smallRun());
  QCOMPARE(document.keys(), (QStringList{"prompt_ids", "run", "steps", "summary"}));
  const QJsonObject settings = document["run"].toObject();
  QCOMPARE(settings["model_name"].toString(), QString("small, \"quoted\""));
  QCOMPARE(settings["method"].toString(), QString("balanced"));
  QCOMPARE(settings["top_p"].toDouble(), 1.0);
  QCOMPARE(document["prompt_ids"].toArray(), (QJsonArray{7, 9}));
  const QJsonArray steps = document["steps"].toArray();
  QCOMPARE(steps.size(), 2);
  QCOMPARE(steps[1].toObject()["bare_linf"].toDouble(), 4.0);
  QCOMPARE(steps[1].toObject()["token"].toString(), QString::fromUtf8("é\uFFFD"));
  const QJsonObject layer = steps[1].toObject()["layers"].toArray()[1].toObject();
  QCOMPARE(layer["dw"].toObject()["down"].toDouble(), 77.0);
  QCOMPARE(document["summary"].toObject()["matches"].toInt(), 1);
}

/// A step's verdict also counts the noise of later steps, as in steps.csv.
void tst_export_json::verdictsUseTheNoiseFloorOfTheRun() {
  const test::RecordShape shape{.noise = true};
  StoredRun run{test::makeHeader(shape), {}, {}};
  for (int at = 0; at < 2; ++at) {
    StepRecord step = *test::makeRecord(at, shape);
    step.match = true;
    step.patchedDistance = {.linf = 1.0};
    step.noise = step.rounding = {.linf = at == 0 ? 0.5 : 2.0};
    run.steps.push_back(std::make_shared<const StepRecord>(step));
  }
  const QJsonObject document = exported(run);
  QCOMPARE(document["steps"].toArray().size(), 2);
  for (const auto& step : document["steps"].toArray())
    QCOMPARE(step.toObject()["verdict"].toString(), QString("exact"));
  QCOMPARE(document["summary"].toObject()["verdicts"].toObject()["exact"].toInt(), 2);
}

/// JSON has no NaN; run.csv has "nan" here.
void tst_export_json::roundingThatIsNaNIsNull() {
  const test::RecordShape shape{.noise = true};
  StepRecord step = *test::makeRecord(0, shape);
  step.rounding = {.linf = std::nan("")};
  const StoredRun run{
      test::makeHeader(shape), {std::make_shared<const StepRecord>(step)}, {}};
  QVERIFY(exported(run)["summary"].toObject()["rounding_linf_max"].isNull());
}

void tst_export_json::aRunWithoutStepsHasNoStepsAndNullTotals() {
  StoredRun run = test::smallRun();
  run.steps.clear();
  const QJsonObject document = exported(run);
  QVERIFY(document["steps"].isArray() && document["steps"].toArray().isEmpty());
  const QJsonObject summary = document["summary"].toObject();
  QCOMPARE(summary["steps"].toInt(-1), 0);
  for (const char* total : {"linf_median", "linf_max", "tvd_max", "ms_per_step"})
    QVERIFY2(summary[QLatin1String(total)].isNull(), total);
}

void tst_export_json::stepsHaveTheirKeys() {
  const auto step = toJson(*test::smallRun().steps[1], LayerDetail::Omit);
  QCOMPARE(step["step"].get<int>(), 1);
  QCOMPARE(step["position"].get<int>(), 2);
  QCOMPARE(step["token_id"].get<int>(), 41);
  QCOMPARE(step["match"].get<bool>(), false);
  QCOMPARE(step["linf"].get<double>(), 1e-7);
  QCOMPARE(step["tvd"].get<double>(), 102.0);
  QCOMPARE(step["kl"].get<double>(), 3.0);
  QCOMPARE(step["margin"].get<double>(), 100.1);
  QCOMPARE(step["bare_linf"].get<double>(), 4.0);
  QCOMPARE(step["sampled_match"].get<bool>(), false);
  QVERIFY(step["token_text"] == step["token"]);
  QCOMPARE(step["patched_token_id"].get<int>(), 51);
  QCOMPARE(step["patched_text"].get<std::string>(), std::string("p"));
  QVERIFY(step.contains("ms") && step.contains("milliseconds"));
  QVERIFY(!step.contains("layers"));
}

void tst_export_json::absentMeasurementsAreLeftOut() {
  const auto step = toJson(*test::smallRun().steps[0], LayerDetail::Omit);
  for (const char* key : {"bare_linf", "bare_tvd", "ablated_kl", "audit_linf",
                          "noise_linf", "sampled_match"})
    QVERIFY(!step.contains(key));
  const auto ablated = test::makeRecord(2, {.ablated = true});
  const auto object = toJson(*ablated, LayerDetail::Omit);
  QCOMPARE(object["ablated_kl"].get<double>(), ablated->ablatedDistance->kl);
  QCOMPARE(object["ablated_top_token_id"].get<std::int64_t>(),
           ablated->ablated.front().id.value);
  const auto header = test::makeHeader({.ablated = true});
  QCOMPARE(
      toJson(summarise({ablated}), *header)["summary"]["ablated_kl_max"].get<double>(),
      ablated->ablatedDistance->kl);
}

void tst_export_json::layersAreWrittenOnRequest() {
  const auto step = toJson(*test::smallRun().steps[1], LayerDetail::Include);
  QCOMPARE(step["layers"].size(), 2u);
  QCOMPARE(step["layers"][1]["layer"].get<int>(), 1);
  QCOMPARE(step["layers"][1]["dw"]["gate"].get<double>(), 101.0);
  QCOMPARE(step["layers"][1]["dw_rel"]["down"].get<double>(), 0.5);
  QVERIFY(!step["layers"][0]["dw"].contains("down"));
  QCOMPARE(step["layers"][0]["experts"].dump(), std::string("[3,5]"));
}

void tst_export_json::layersHaveTheirKeys() {
  StepRecord step;
  step.layers = {{.matrices = {},
                  .scaleNorm = 1.0,
                  .scaleMax = 2.0,
                  .scaleDelta = {},
                  .biasNorm = 3.0,
                  .experts = {4},
                  .gateSum = 5.0,
                  .effect = 6.0,
                  .zNorm = 7.0,
                  .zCosine = 8.0,
                  .hiddenError = 9.0,
                  .smallestDivisor = 10.0,
                  .hardCase = true,
                  .guarded = 11,
                  .note = "n"}};
  const nlohmann::json expected = {{"layer", 0},
                                   {"dw", nlohmann::json::object()},
                                   {"dw_rel", nlohmann::json::object()},
                                   {"dscale_norm", 1.0},
                                   {"dscale_max", 2.0},
                                   {"dbias_norm", 3.0},
                                   {"experts", {4}},
                                   {"gate_sum", 5.0},
                                   {"effect", 6.0},
                                   {"z_norm", 7.0},
                                   {"z_cosine", 8.0},
                                   {"hidden_error", 9.0},
                                   {"smallest_divisor", 10.0},
                                   {"hard_case", true},
                                   {"guarded", 11},
                                   {"note", "n"}};
  const auto layerOf = [](const StepRecord& of) {
    return nlohmann::json::parse(toJson(of, LayerDetail::Include)["layers"][0].dump());
  };
  QVERIFY(layerOf(step) == expected);
  step.layers[0].experts.clear();
  step.layers[0].note.clear();
  for (const char* key : {"experts", "gate_sum", "note"})
    QVERIFY(!layerOf(step).contains(key));
}

void tst_export_json::summariesCountMatchesAndSampledMatches() {
  RunSummary summary{.steps = 3, .matches = 2};
  QCOMPARE(toJson(summary, RunHeader())["summary"]["matches"].get<int>(), 2);
  QVERIFY(!toJson(summary, RunHeader())["summary"].contains("sampled_matches"));
  summary.sampledMatches = 1;
  QCOMPARE(toJson(summary, RunHeader())["summary"]["sampled_matches"].get<int>(), 1);
}

void tst_export_json::settingsHaveTheirNames() {
  const auto settings = runSettings(*test::smallRun().header);
  QCOMPARE(settings["prompt_text"].get<std::string>(), std::string("Once"));
  QCOMPARE(settings["layers"].get<int>(), 2);
}

void tst_export_json::jsonLineReplacesInvalidBytes() {
  QCOMPARE(jsonLine({{"a", "\xFF"}}), std::string("{\"a\":\"\xEF\xBF\xBD\"}\n"));
}

EQUIPATCH_TEST(tst_export_json)
#include "tst_export_json.moc"
