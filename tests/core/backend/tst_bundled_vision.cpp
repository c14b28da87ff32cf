// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <algorithm>

#include "core/backend/torch_backend.h"
#include "core/base/program_files.h"
#include "core/record/file/run_file.h"
#include "core/record/file/run_writer.h"
#include "core/run/prepared_prompt.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

std::shared_ptr<const Session> visionSession(DType dtype) {
  return test::openSession(
      {.folder = *findResource(Resource::BundledVisionModel), .dtype = dtype});
}

/// Two images, each with a question.
PromptSource twoQuestions(const std::string& absorb) {
  const auto picture = [](const char* name) {
    return readPicture(test::data("../../resources/pictures") / name);
  };
  return {.text =
              "<start_of_image>Describe the picture."
              "<start_of_image>How many triangles are there?",
          .absorb = absorb,
          .images = {picture("scene-5.png"), picture("scene-2.png")}};
}

RunRequest visionRequest(const Session& session, const std::string& absorb,
                         RunRequest settings) {
  settings.ignoreEndOfSequence = true;
  return requestFor(preparePrompt(twoQuestions(absorb), session), settings);
}

using VisionSteps = std::vector<std::shared_ptr<const StepRecord>>;

VisionSteps allSteps(TorchComparison& comparison) {
  SilentProgress silent;
  comparison.prefill(silent);
  VisionSteps steps;
  while (!comparison.done()) steps.push_back(comparison.step());
  return steps;
}

}  // namespace

/// The patch restores the context of the bundled vision model, whatever part is absorbed.
class tst_bundled_vision : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QVERIFY(findResource(Resource::BundledVisionModel)); }
  void patchesRestoreTheContext_data();
  void patchesRestoreTheContext();
  void aRunWithTwoImagesIsRepeated();
};

void tst_bundled_vision::patchesRestoreTheContext_data() {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<QString>("absorb");
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16})
    for (const char* absorb : {"all", "images", "image:1", "image:2", "text", "none"})
      QTest::addRow("%s, %s", std::string(torchName(dtype)).c_str(), absorb)
          << int(dtype) << absorb;
}

/// 64 steps: the patched pass equals the contextual one, and the bare one differs. Where
/// nothing is absorbed, all three are equal.
void tst_bundled_vision::patchesRestoreTheContext() {
  QFETCH(int, dtype);
  QFETCH(QString, absorb);
  const auto session = visionSession(DType(dtype));
  TorchComparison comparison(session, visionRequest(*session, absorb.toStdString(),
                                                    {.steps = 64, .audit = true}));
  const VisionSteps steps = allSteps(comparison);
  QCOMPARE(steps.size(), std::size_t{64});
  double bare = 0.0;
  for (const auto& step : steps) bare = std::max(bare, step->bareDistance->linf);
  QCOMPARE(bare > 0.0, absorb != "none");
  for (const auto& step : steps) {
    const double linf = step->patchedDistance.linf, audit = step->auditDistance->linf;
    const QString text = QString("step %1: L∞ %2, audit %3, bare %4")
                             .arg(step->step.value)
                             .arg(linf)
                             .arg(audit)
                             .arg(bare);
    if (absorb == "none") {
      QVERIFY2(linf == 0.0, qPrintable(text));
    } else if (DType(dtype) == DType::BF16) {
      QVERIFY2(step->match || step->margin <= 2.0 * linf, qPrintable(text));
      QVERIFY2(linf <= 0.1 * bare, qPrintable(text));
      QVERIFY2(audit <= 0.1 * bare, qPrintable(text));
    } else {
      const double exact = DType(dtype) == DType::F32 ? 1e-4 : 1e-12;
      QVERIFY2(step->match, qPrintable(text));
      QVERIFY2(linf <= exact * bare, qPrintable(text));
      QVERIFY2(audit <= exact * bare, qPrintable(text));
    }
  }
}

/// A run that is repeated from its run file is the same to the last bit.
void tst_bundled_vision::aRunWithTwoImagesIsRepeated() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("images.eqrun").toStdString();
  {
    const auto session = visionSession(DType::BF16);
    TorchComparison comparison(session,
                               visionRequest(*session, "image:1", {.steps = 16}));
    RunWriter writer(path, comparison.header());
    for (const auto& step : allSteps(comparison)) writer.add(*step);
    writer.finish(RunEnding::Complete);
  }
  const StoredRun run = readRun(path);
  QCOMPARE(run.damage, std::string());
  QCOMPARE(run.header->request.images.size(), std::size_t{2});
  TorchComparison again(visionSession(DType::BF16), run.header->request);
  const VisionSteps steps = allSteps(again);
  QCOMPARE(run.steps.size(), std::size_t{16});
  QCOMPARE(steps.size(), run.steps.size());
  for (std::size_t at = 0; at < steps.size(); ++at)
    QVERIFY2(sameResults(*steps[at], *run.steps[at]), qPrintable(QString::number(at)));
}

EQUIPATCH_TEST(tst_bundled_vision)
#include "tst_bundled_vision.moc"
