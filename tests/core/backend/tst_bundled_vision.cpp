// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>

#include "core/backend/torch_backend.h"
#include "core/base/program_files.h"
#include "core/record/file/run_file.h"
#include "core/record/file/run_writer.h"
#include "core/run/prepared_prompt.h"
#include "tests/core/backend/absorbed_parts.h"
#include "tests/core/backend/steps_of.h"
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

}  // namespace

class tst_bundled_vision : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QVERIFY(findResource(Resource::BundledVisionModel)); }
  void patchesRestoreTheContext_data() { test::addAbsorbedParts(); }
  void patchesRestoreTheContext();
  void aRepeatedRunWithTwoImagesIsIdentical();
};

void tst_bundled_vision::patchesRestoreTheContext() {
  QFETCH(int, dtype);
  QFETCH(QString, absorb);
  const auto session = visionSession(DType(dtype));
  const Steps steps = test::stepsOf(session, visionRequest(*session, absorb.toStdString(),
                                                           {.steps = 64, .audit = true}));
  QCOMPARE(steps.size(), std::size_t{64});
  QCOMPARE(test::restoringProblem(steps, DType(dtype), absorb != "none"), QString());
}

/// The second run uses the request and the pictures that the run file stores.
void tst_bundled_vision::aRepeatedRunWithTwoImagesIsIdentical() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("images.eqrun").toStdString();
  {
    const auto session = visionSession(DType::BF16);
    TorchComparison comparison(session,
                               visionRequest(*session, "image:1", {.steps = 16}));
    RunWriter writer(path, comparison.header());
    for (const auto& step : test::stepsOf(comparison)) writer.add(*step);
    writer.finish(RunEnding::Complete);
  }
  const StoredRun run = readRun(path);
  QCOMPARE(run.damage, std::string());
  QCOMPARE(run.header->request.images.size(), std::size_t{2});
  TorchComparison again(visionSession(DType::BF16), run.header->request);
  const Steps steps = test::stepsOf(again);
  QCOMPARE(run.steps.size(), std::size_t{16});
  QCOMPARE(steps.size(), run.steps.size());
  for (std::size_t at = 0; at < steps.size(); ++at)
    QVERIFY2(sameResults(*steps[at], *run.steps[at]), qPrintable(QString::number(at)));
}

EQUIPATCH_TEST(tst_bundled_vision)
#include "tst_bundled_vision.moc"
