// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/strength_probe.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/test_case.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

namespace {

struct ProbeFixture {
  test::SyntheticEngine engine;
  StrengthProbe probe{engine};
  std::vector<StrengthReading> readings;

  ProbeFixture() {
    QObject::connect(&probe, &StrengthProbe::read, &probe,
                     [this](const std::shared_ptr<const StrengthReading>& r) {
                       readings.push_back(*r);
                     });
    probe.setModel(std::make_shared<LoadedModel>());
  }

  /// Requests a single strength on all layers.
  void request(double alpha, int step = 0) {
    probe.request(replayed(step), {{.alpha = alpha, .layers = {}}});
  }
  static ReplayedStep replayed(int step) {
    return {RunRequest{}, std::vector<TokenId>(std::size_t(step), TokenId(1))};
  }
};

}  // namespace

class tst_strength_probe : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void computesStrengthsInTheRequestedOrder();
  void onlyTheNewestWaitingRequestIsComputed();
  void aRequestForAnotherStepDropsTheEarlierOne();
  void stoppingDropsTheReadings();
  void failuresAfterAStopAreNotReported();
  void failuresAreReported();
  void failureOfAReplacedRequestIsNotReported();
  void recognizesTheModelOfARun();
  void recognizesTheModelOfARunInAnotherFolder();
};

void tst_strength_probe::computesStrengthsInTheRequestedOrder() {
  ProbeFixture f;
  f.probe.request(ProbeFixture::replayed(0),
                  {{.alpha = 0.5, .layers = {}}, {.alpha = 1.0, .layers = {1}}});
  QTRY_COMPARE(f.readings.size(), std::size_t(2));
  QCOMPARE(f.readings[0].strength.alpha, 0.5);
  QVERIFY(f.readings[1].strength.layers == std::vector<std::int64_t>{1});
  QTRY_VERIFY(!f.probe.busy());
}

/// The slider moves a hundred times during one pass.
void tst_strength_probe::onlyTheNewestWaitingRequestIsComputed() {
  ProbeFixture f;
  f.engine.replays->held = true;
  f.request(0.01);
  QTRY_COMPARE(int(f.engine.replays->opened), 1);
  for (int i = 2; i <= 100; ++i) f.request(i / 100.0);
  f.engine.replays->let.release(2);
  QTRY_COMPARE(f.readings.size(), std::size_t(2));
  QCOMPARE(f.readings[0].strength.alpha, 0.01);
  QCOMPARE(f.readings[1].strength.alpha, 1.0);
  QTRY_VERIFY(!f.probe.busy());
  QCOMPARE(int(f.engine.replays->read), 2);
}

void tst_strength_probe::aRequestForAnotherStepDropsTheEarlierOne() {
  ProbeFixture f;
  f.engine.replays->held = true;
  f.request(0.5, 0);
  QTRY_COMPARE(int(f.engine.replays->opened), 1);
  f.request(0.7, 1);
  f.engine.replays->let.release(2);
  QTRY_COMPARE(f.readings.size(), std::size_t(1));
  QTRY_VERIFY(!f.probe.busy());
  QCOMPARE(f.readings[0].strength.alpha, 0.7);
  QCOMPARE(f.readings.size(), std::size_t(1));
}

void tst_strength_probe::stoppingDropsTheReadings() {
  ProbeFixture f;
  f.engine.replays->held = true;
  f.request(0.5);
  QTRY_COMPARE(int(f.engine.replays->opened), 1);
  f.probe.stop();
  f.engine.replays->let.release();
  QTRY_VERIFY(!f.probe.busy());
  QVERIFY(f.readings.empty());
  QCOMPARE(int(f.engine.replays->read), 0);  // the reading itself was stopped
}

/// The job fails after the stop request.
void tst_strength_probe::failuresAfterAStopAreNotReported() {
  ProbeFixture f;
  QSignalSpy failed(&f.probe, &StrengthProbe::failed);
  f.engine.replays->held = true;
  f.engine.replays->failsOnce = true;
  f.request(0.5);
  QTRY_COMPARE(int(f.engine.replays->opened), 1);
  f.probe.stop();
  f.engine.replays->let.release();
  QTRY_VERIFY(!f.probe.busy());
  QCOMPARE(failed.count(), 0);
  f.engine.replays->failsOnce = true;
  f.request(0.5);  // failures of a later request are reported
  f.engine.replays->let.release();
  QTRY_COMPARE(failed.count(), 1);
}

void tst_strength_probe::failuresAreReported() {
  ProbeFixture f;
  QSignalSpy failed(&f.probe, &StrengthProbe::failed);
  f.engine.replays->failure = "The step cannot be taken again.";
  f.request(0.5);
  QTRY_COMPARE(failed.count(), 1);
  QCOMPARE(failed[0][0].toString(), QStringLiteral("The step cannot be taken again."));
  QVERIFY(!f.probe.busy());
}

void tst_strength_probe::failureOfAReplacedRequestIsNotReported() {
  ProbeFixture f;
  QSignalSpy failed(&f.probe, &StrengthProbe::failed);
  f.engine.replays->held = true;
  f.request(0.5, 0);
  QTRY_COMPARE(int(f.engine.replays->opened), 1);
  f.request(0.7, 1);
  f.engine.replays->failsOnce = true;
  f.engine.replays->let.release(2);
  QTRY_COMPARE(f.readings.size(), std::size_t(1));
  QCOMPARE(f.readings[0].strength.alpha, 0.7);
  QCOMPARE(failed.count(), 0);
  QTRY_VERIFY(!f.probe.busy());
}

void tst_strength_probe::recognizesTheModelOfARun() {
  LoadedModel model;
  model.folder = "/models/a/../one";
  model.dtype = DType::BF16;
  model.device = "cpu";
  RunHeader header;
  header.modelFolder = "/models/one";
  header.dtype = DType::BF16;
  header.device = "cpu";
  QVERIFY(computesRun(model, header));
  header.modelFolder = "/models/one/";
  QVERIFY(computesRun(model, header));
  const auto differs = [&](auto change) {
    RunHeader other = header;
    change(other);
    return !computesRun(model, other);
  };
  QVERIFY(differs([](RunHeader& other) { other.modelFolder = "/models/two"; }));
  QVERIFY(differs([](RunHeader& other) { other.dtype = DType::F32; }));
  QVERIFY(differs([](RunHeader& other) { other.device = "cuda"; }));
  QVERIFY(differs([](RunHeader& other) { other.computesFloat32 = true; }));
}

/// For example, the run was recorded on another machine.
void tst_strength_probe::recognizesTheModelOfARunInAnotherFolder() {
  const QTemporaryDir folder;
  LoadedModel model;
  model.folder = "/models/here";
  model.dtype = DType::BF16;
  model.device = "cpu";
  model.origin.configSha256 = "11";
  model.origin.tensorFiles = {{"model.safetensors", "22"}};
  RunHeader header;
  header.modelFolder = "/models/there";
  header.dtype = DType::BF16;
  header.device = "cpu";
  header.provenance = model.origin;
  QVERIFY(computesRun(model, header));
  QCOMPARE(modelRequestOf(header, &model).folder.string(), std::string("/models/here"));
  QCOMPARE(modelRequestOf(header, nullptr).folder.string(), std::string("/models/there"));
  header.dtype = DType::F32;
  QVERIFY(isModelOf(model, header) && !computesRun(model, header));
  QCOMPARE(modelRequestOf(header, &model).folder.string(), std::string("/models/here"));
  header.modelFolder = folder.path().toStdString();  // exists, so it holds the model
  QVERIFY(!isModelOf(model, header));
  header.modelFolder = "/models/there";
  header.provenance.tensorFiles[0].headerSha256 = "33";
  QVERIFY(!isModelOf(model, header));
}

EQUIPATCH_TEST(tst_strength_probe)
#include "tst_strength_probe.moc"
