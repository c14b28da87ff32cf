// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_run.h"

#include <QTemporaryDir>
#include <cstring>

#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/record/file/run_writer.h"
#include "tests/core/record/random_runs.h"
#include "tests/core/record/tamper.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

std::vector<double> numbers(const SafetensorsFile& file, const std::string& name) {
  const TensorView& view = file.tensors().at(name);
  std::vector<double> values(view.bytes.size() / sizeof(double));
  std::memcpy(values.data(), view.bytes.data(), view.bytes.size());
  return view.dtype == DType::F64 ? values : std::vector<double>();
}

}  // namespace

class tst_export_safetensors : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void writesEveryVector();
  void onlyTheChosenStepIsWritten();
  void aMissingStepEndsTheExport();
  void aRunWithoutFactorsIsRefused();
  void aRunWithoutStepsHasNoPatch();
};

void tst_export_safetensors::writesEveryVector() {
  const QTemporaryDir folder;
  const std::filesystem::path root = folder.path().toStdString();
  test::RandomRuns random(5);
  RunHeader header = random.header();
  header.layers = 2;
  header.width = 2;
  header.parameters = {{.name = "layers.0.W_gate", .shape = {2, 1}},
                       {.name = "layers.1.experts.3.W_down", .shape = {1, 2}}};
  header.request.strength.layers.clear();
  header.request.keepFactors = true;
  LayerFactors first, second;
  first.matrices = {{"W_gate", {1.0, 2.0}, {3.0}}};
  first.scale = {4.0, 5.0};
  first.scaleDelta = {6.0, 7.0};
  first.v = {8.0, 9.0};
  first.zContext = {10.0, 11.0};
  second.matrices = {{"experts.3.W_down", {12.0}, {13.0, 14.0}}};
  second.biasDelta = {15.0, 16.0};
  StepRecord step;
  step.layers.resize(2);
  step.factors = std::make_shared<const PatchFactors>(PatchFactors{first, second});
  RunWriter writer(root / "run", header);
  writer.add(step);
  step.step = StepIndex(1);
  writer.add(step);
  exportSafetensors(RunFile(root / "run"), std::nullopt, root / "out");
  const SafetensorsFile file = SafetensorsFile::open(root / "out");
  for (const std::string prefix : {"step.0.layer.", "step.1.layer."}) {
    using Values = std::vector<double>;
    QCOMPARE(numbers(file, prefix + "0.W_gate.u"), (Values{1.0, 2.0}));
    QCOMPARE(numbers(file, prefix + "0.W_gate.w"), (Values{3.0}));
    QCOMPARE(numbers(file, prefix + "0.patched_scale"), (Values{4.0, 5.0}));
    QCOMPARE(numbers(file, prefix + "0.patched_scale_delta"), (Values{6.0, 7.0}));
    QCOMPARE(numbers(file, prefix + "0.v"), (Values{8.0, 9.0}));
    QCOMPARE(numbers(file, prefix + "0.z_context"), (Values{10.0, 11.0}));
    QCOMPARE(numbers(file, prefix + "1.experts.3.W_down.w"), (Values{13.0, 14.0}));
    QCOMPARE(numbers(file, prefix + "1.patched_bias_delta"), (Values{15.0, 16.0}));
  }
  QCOMPARE(file.tensors().size(), 18u);
}

void tst_export_safetensors::onlyTheChosenStepIsWritten() {
  const QTemporaryDir folder;
  const std::filesystem::path root = folder.path().toStdString();
  test::RandomRuns random(8);
  RunHeader header = random.header();
  header.request.keepFactors = true;
  RunWriter writer(root / "run", header);
  for (std::int64_t step = 0; step < 3; ++step) writer.add(random.step(header, step));
  exportSafetensors(RunFile(root / "run"), StepIndex(1), root / "out");
  const SafetensorsFile file = SafetensorsFile::open(root / "out");
  QVERIFY(!file.tensors().empty());
  for (const auto& [name, view] : file.tensors()) QVERIFY(name.starts_with("step.1."));
  QVERIFY_ERROR(exportSafetensors(RunFile(root / "run"), StepIndex(3), root / "out"),
                "/run: the run has no step 3; its steps are 0 to 2");
}

/// The last row of a damaged file may have any step number.
void tst_export_safetensors::aMissingStepEndsTheExport() {
  const QTemporaryDir folder;
  const std::filesystem::path root = folder.path().toStdString();
  test::RandomRuns random(8);
  RunHeader header = random.header();
  header.request.keepFactors = true;
  {
    RunWriter writer(root / "run", header);
    for (std::int64_t step = 0; step < 3; ++step) writer.add(random.step(header, step));
  }
  for (const char* last : {"1099511627776", "9223372036854775807"}) {
    test::tamper(root / "run",
                 QString("UPDATE steps SET step = %1 WHERE step > 1").arg(last));
    const WrittenPatches written =
        exportSafetensors(RunFile(root / "run"), std::nullopt, root / "out");
    QCOMPARE(written.steps, 2);
    QCOMPARE(written.damage, std::string("step 2: it is missing"));
    const SafetensorsFile file = SafetensorsFile::open(root / "out");
    for (const auto& [name, view] : file.tensors())
      QVERIFY(name.starts_with("step.0.") || name.starts_with("step.1."));
    QVERIFY_ERROR(exportSafetensors(RunFile(root / "run"), StepIndex(2), root / "none"),
                  "/run: step 2: it is missing");
    QCOMPARE(readRun(root / "run").steps.size(), 2u);
  }
}

void tst_export_safetensors::aRunWithoutFactorsIsRefused() {
  const QTemporaryDir folder;
  const std::filesystem::path root = folder.path().toStdString();
  test::RandomRuns random(8);
  RunHeader header = random.header();
  header.request.keepFactors = false;
  RunWriter writer(root / "run", header);
  writer.add(random.step(header, 0));
  QVERIFY_ERROR(exportSafetensors(RunFile(root / "run"), std::nullopt, root / "out"),
                "--factors");
  QVERIFY(!std::filesystem::exists(root / "out"));
}

void tst_export_safetensors::aRunWithoutStepsHasNoPatch() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run").toStdString();
  RunHeader header = test::RandomRuns(7).header();
  header.request.keepFactors = true;
  RunWriter(path, header).finish(RunEnding::Stopped);
  QVERIFY_ERROR(stepWithFactors(RunFile(path), StepIndex(0)),
                "the run holds no finished step, so it has no patch to export");
  const std::filesystem::path out = folder.filePath("out").toStdString();
  QVERIFY_ERROR(exportSafetensors(RunFile(path), std::nullopt, out), "no finished step");
  QVERIFY(!std::filesystem::exists(out));
}

EQUIPATCH_TEST(tst_export_safetensors)
#include "tst_export_safetensors.moc"
