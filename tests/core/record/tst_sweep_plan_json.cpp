#include "core/record/sweep/sweep_plan.h"

#include "core/base/json.h"
#include "tests/core/record/small_sweep.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_sweep_plan_json : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void comesBackAsItWas();
  void refusesWhatIsDamaged_data();
  void refusesWhatIsDamaged();
};

namespace {

Json smallJson() {
  return Json::parse(toJson(test::smallSweep()).dump());
}

}  // namespace

void tst_sweep_plan_json::comesBackAsItWas() {
  SweepPlan plan = test::smallSweep();
  plan.measureNoise = plan.ignoreEndOfSequence = true;
  plan.device = "cuda:1";
  plan.prompts[1].chat = true;
  const Json json = Json::parse(toJson(plan).dump());
  QVERIFY(sweepPlanFrom(json, "sweep.json") == plan);
  // For programs of before, which expect the key.
  QVERIFY(json["model"]["folder"] == json["model"]["name"]);
}

void tst_sweep_plan_json::refusesWhatIsDamaged_data() {
  QTest::addColumn<QString>("path");
  QTest::addColumn<QString>("value");
  QTest::addColumn<QString>("reason");
  const auto row = [](const char* path, const char* value, const char* reason) {
    QTest::newRow(qPrintable(QString("%1 %2").arg(path, value)))
        << QString(path) << QString(value) << QString(reason);
  };
  row("/format", "2", "in format 2, this program reads format 1");
  row("/format", "\"1\"", "\"format\" should be");
  row("/steps", "0", "\"steps\" should be");
  row("/steps", "1e300", "\"steps\" should be");
  row("/device", "7", "\"device\" should be a string");
  row("/measure_noise", "1", "\"measure_noise\" should be true or false");
  row("/model", "null", "\"model\" is missing");
  row("/model", "[]", "expected a JSON object");
  row("/model/tensor_files", "{}", "\"tensor_files\" should be a list");
  row("/model/tensor_files/0/file", "null", "\"file\" is missing");
  row("/begun/threads", "-1", "\"threads\" should be");
  row("/points", "7", "\"points\" should be a list");
  row("/points/0", "7", "expected a JSON object");
  row("/points/0/dtype", "\"int8\"", "no model computes in int8");
  row("/points/0/method", "\"best\"", "the method \"best\" is not known");
  row("/points/1/loop", "\"\"", "the loop \"\" is not known");
  row("/prompts", "null", "\"prompts\" should be a list");
  row("/prompts/0/name", "\"../../etc/passwd\"", "is none for a prompt");
  row("/prompts/1/name", "\"one\"", "occurs twice");
  row("/prompts/1/text", "[]", "\"text\" should be a string");
}

void tst_sweep_plan_json::refusesWhatIsDamaged() {
  QFETCH(QString, path);
  QFETCH(QString, value);
  QFETCH(QString, reason);
  Json json = smallJson();
  json[Json::json_pointer(path.toStdString())] = Json::parse(value.toStdString());
  QVERIFY_ERROR(sweepPlanFrom(json, "sweep.json"), "sweep.json", reason);
}

EQUIPATCH_TEST(tst_sweep_plan_json)
#include "tst_sweep_plan_json.moc"
