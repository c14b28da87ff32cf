// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>

#include "core/backend/image_rows.h"
#include "core/backend/torch_backend.h"
#include "core/base/hash.h"
#include "core/record/file/run_file.h"
#include "core/record/file/run_writer.h"
#include "core/run/prepared_prompt.h"
#include "tests/core/backend/absorbed_parts.h"
#include "tests/core/backend/steps_of.h"
#include "tests/core/model/tensor_difference.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

std::filesystem::path imageModel() {
  return test::data("images/gemma3_mm");
}

std::shared_ptr<const Session> imageSession(
    DType dtype, const std::filesystem::path& folder = imageModel()) {
  return test::openSession({.folder = folder, .dtype = dtype});
}

Tensor goldenTensor(const std::string& name) {
  static const SafetensorsFile file =
      SafetensorsFile::open(imageModel() / "golden.safetensors");
  return storedTensor(file.tensors().at(name)).clone();
}

std::vector<TokenId> goldenPrompt() {
  const Tensor flat = goldenTensor("input_ids").flatten();
  std::vector<TokenId> ids;
  for (std::int64_t at = 0; at < flat.numel(); ++at)
    ids.emplace_back(flat[at].item<std::int64_t>());
  return ids;
}

/// The golden prompt and its two images.
PromptSource twoImages(const std::string& absorb = "all") {
  return {.text = {},
          .ids = goldenPrompt(),
          .absorb = absorb,
          .images = {readPicture(imageModel() / "image0.png"),
                     readPicture(imageModel() / "image1.png")}};
}

Steps stepsOf(const std::shared_ptr<const Session>& session, const PromptSource& source,
              RunRequest settings) {
  settings.ignoreEndOfSequence = true;
  return test::stepsOf(session, requestFor(preparePrompt(source, *session), settings));
}

}  // namespace

class tst_image_runs : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void logitsAndSitesEqualHuggingFaces();
  void patchesRestoreTheContext_data() { test::addAbsorbedParts(); }
  void patchesRestoreTheContext();
  void imagesOutsideALayersWindowHaveNoEffect();
  void bothExecutionsGiveTheSameSteps();
  void aRunFileWithPicturesRepeatsTheRun();
  void replayedDistancesEqualThoseOfTheRun();
  void onePatchServesSeveralTokens();
  void imagesAreEncodedOnce();
  void theProgressOfAPrefillNeverFalls();
  void picturesMissingFromARunMustBeGiven();
  void refusesPromptsThatDoNotFitTheirImages();
  void refusesModelsThatCannotTakeImages();
  void stopsOnRequest();
};

void tst_image_runs::logitsAndSitesEqualHuggingFaces() {
  const auto session = imageSession(DType::F32);
  const PreparedPrompt prompt = preparePrompt(twoImages(), *session);
  QCOMPARE(prompt.images.size(), std::size_t{2});
  QVERIFY((prompt.images[1].tokens == PositionRange{20, 23}));
  const auto tensors =
      computeLogits(*session, goldenPrompt(), SiteCapture::AllSites, prompt.images);
  std::size_t known = 0;
  for (const NamedTensor& tensor : tensors) {
    std::string name = tensor.name;
    if (name.starts_with("resid_pre")) name.replace(0, 9, "hidden_states");
    if (name.starts_with("resid")) continue;
    const Tensor expected = goldenTensor(name);
    const Tensor found = at::tensor(tensor.values).view(tensor.shape);
    const bool ofText = expected.size(0) == 1;
    const double difference =
        test::largestDifference(found, ofText ? expected[0] : expected);
    const double tolerance = name == "pixel_values" ? 0.0
                             : name == "logits"     ? 1e-4
                                                    : 5e-5;
    QVERIFY2(difference <= tolerance,
             qPrintable(QString("%1: %2").arg(name.c_str()).arg(difference)));
    ++known;
  }
  // Three sites in each of 7 layers, two in each of the tower's 3 layers, and 8 others.
  QCOMPARE(known, std::size_t{1 + 3 * 7 + 3 * 2 + 1 + 1 + 4 + 1});
  // Without the capture of sites, the logits are the same.
  const auto again =
      computeLogits(*session, goldenPrompt(), SiteCapture::LogitsOnly, prompt.images);
  QCOMPARE(again.front().values, tensors.front().values);
}

void tst_image_runs::patchesRestoreTheContext() {
  QFETCH(int, dtype);
  QFETCH(QString, absorb);
  const Steps steps = stepsOf(imageSession(DType(dtype)), twoImages(absorb.toStdString()),
                              {.steps = 64, .audit = true});
  QCOMPARE(steps.size(), std::size_t{64});
  QCOMPARE(test::restoringProblem(steps, DType(dtype), absorb != "none"), QString());
}

/// The images end at position 23. From position 30 on, they are outside the first layer's
/// window of six tokens. So all passes have the same resid_mid in this layer, and its
/// patch is zero.
void tst_image_runs::imagesOutsideALayersWindowHaveNoEffect() {
  const Steps steps =
      stepsOf(imageSession(DType::F64), twoImages("images"), {.steps = 4});
  QCOMPARE(steps.size(), std::size_t{4});
  for (const auto& step : steps) {
    QCOMPARE(step->layers.front().effect, 0.0);
    QVERIFY(step->layers[5].effect > 0.0);  // a global layer
  }
}

void tst_image_runs::bothExecutionsGiveTheSameSteps() {
  const auto session = imageSession(DType::F32);
  const Steps one = stepsOf(session, twoImages("image:1"), {.steps = 4});
  const Steps other = stepsOf(session, twoImages("image:1"),
                              {.steps = 4, .execution = Execution::Separate});
  QCOMPARE(one.size(), std::size_t{4});
  QCOMPARE(other.size(), one.size());
  for (std::size_t at = 0; at < one.size(); ++at)
    QVERIFY(sameResults(*one[at], *other[at]));
}

void tst_image_runs::aRunFileWithPicturesRepeatsTheRun() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("images.eqrun").toStdString();
  {
    const auto session = imageSession(DType::F32);
    const RunRequest settings{.steps = 8, .ignoreEndOfSequence = true};
    TorchComparison comparison(
        session, requestFor(preparePrompt(twoImages("image:2"), *session), settings));
    RunWriter writer(path, comparison.header());
    for (const auto& step : test::stepsOf(comparison)) writer.add(*step);
    writer.finish(RunEnding::Complete);
  }
  const StoredRun run = readRun(path);
  QCOMPARE(run.damage, std::string());
  const RunRequest& request = run.header->request;
  QCOMPARE(request.images.size(), std::size_t{2});
  QCOMPARE(request.images[1].picture->name, std::string("image1.png"));
  QVERIFY(request.images[1].picture->bytes ==
          FileMap::open(imageModel() / "image1.png")->text());
  TorchComparison again(imageSession(DType::F32), request);
  const Steps steps = test::stepsOf(again);
  QCOMPARE(run.steps.size(), std::size_t{8});
  QCOMPARE(steps.size(), run.steps.size());
  for (std::size_t at = 0; at < steps.size(); ++at)
    QVERIFY(sameResults(*steps[at], *run.steps[at]));
}

void tst_image_runs::replayedDistancesEqualThoseOfTheRun() {
  const auto session = imageSession(DType::F32);
  const RunRequest request = requestFor(preparePrompt(twoImages(), *session),
                                        {.steps = 5, .ignoreEndOfSequence = true});
  TorchComparison comparison(session, request);
  const Steps steps = test::stepsOf(comparison);
  QCOMPARE(steps.size(), std::size_t{5});
  const auto replay = makeStepReplay(session);
  SilentProgress silent;
  std::vector<TokenId> history = goldenPrompt();
  for (const auto& step : steps) {
    replay->open({request, history}, silent);
    const StrengthReading whole = replay->read({});
    QCOMPARE(whole.distance.linf, step->patchedDistance.linf);
    history.push_back(step->continued);
  }
  RunRequest damaged = request;
  damaged.images[1].tokens.last = 20;
  QVERIFY_ERROR(replay->open({damaged, history}, silent), "20 to 20", "of 4 tokens");
}

void tst_image_runs::onePatchServesSeveralTokens() {
  const auto session = imageSession(DType::F64);
  const PreparedPrompt prompt = preparePrompt(twoImages(), *session);
  SilentProgress silent;
  SharedPatchRequest request{
      .prompt = prompt.tokens, .images = prompt.images, .first = 26, .last = 29};
  const SharedPatchRecord record = makeSharedPatch(session, request, silent);
  QCOMPARE(record.tokens.size(), std::size_t{4});
  for (const SharedTokenRecord& token : record.tokens) {
    QVERIFY(token.match);
    QVERIFY(token.patchedDistance.linf <= 1e-8 * token.bareDistance.linf);
  }
  request.first = 22;  // inside the second image
  QVERIFY_ERROR(makeSharedPatch(session, request, silent), "20 to 23", "22 tokens");
}

void tst_image_runs::imagesAreEncodedOnce() {
  const auto session = imageSession(DType::F32);
  const auto& own = static_cast<const TorchSession&>(*session);
  const PreparedPrompt prompt = preparePrompt(twoImages(), *session);
  const std::string& hash = prompt.images[0].picture->sha256;
  QVERIFY(!own.seenRows(hash).defined());
  SilentProgress silent;
  const GivenRows rows = imageRows(*session, prompt.images, silent);
  QVERIFY(own.seenRows(hash).is_same(rows.parts[0].rows));
  QVERIFY(test::largestDifference(rows.parts[0].rows,
                                  goldenTensor("image_features")[0]) <= 1e-5);
  // The session has kept the rows, so the picture's bytes may be missing.
  const auto hollow = std::make_shared<const PictureFile>(
      PictureFile{.name = "gone.png", .sha256 = hash, .bytes = {}});
  QVERIFY(imageRows(*session, {{hollow, {6, 9}}}, silent)
              .parts[0]
              .rows.is_same(rows.parts[0].rows));
}

/// Images, the contextual pass, both noise references and the ablated pass.
void tst_image_runs::theProgressOfAPrefillNeverFalls() {
  const auto session = imageSession(DType::BF16);
  const RunRequest request =
      requestFor(preparePrompt(twoImages("image:1"), *session),
                 {.steps = 1, .ablated = true, .measureNoise = true});
  TorchComparison comparison(session, request);
  test::Patience progress;
  comparison.prefill(progress);
  QVERIFY(progress.fractions.size() > 8);
  QVERIFY(std::ranges::is_sorted(progress.fractions));
  QVERIFY(progress.fractions.back() <= 1.0);
}

void tst_image_runs::picturesMissingFromARunMustBeGiven() {
  const auto session = imageSession(DType::F32);
  const PreparedPrompt prompt = preparePrompt(twoImages(), *session);
  std::vector<PromptImage> hollow = prompt.images;
  hollow[0].picture = std::make_shared<const PictureFile>(
      PictureFile{.name = "gone.png", .sha256 = hollow[0].picture->sha256, .bytes = {}});
  QVERIFY_ERROR(requireBytes(*hollow[0].picture), "without its image \"gone.png\"",
                "compare --continue or --rerun, with --image", "record the run again");
  SilentProgress silent;
  QVERIFY_ERROR(imageRows(*session, hollow, silent), "gone.png");
  QVERIFY_ERROR(withPictures(hollow, {}), "gone.png");
  QVERIFY_ERROR(withPictures({hollow[0]}, {prompt.images[1].picture}),
                "not one of the run");
  const auto whole = withPictures(hollow, {prompt.images[0].picture});
  QVERIFY(whole[0].picture == prompt.images[0].picture);
  QVERIFY(whole == prompt.images);
}

void tst_image_runs::refusesPromptsThatDoNotFitTheirImages() {
  const auto session = imageSession(DType::F32);
  PromptSource source = twoImages();
  source.images.pop_back();
  QVERIFY_ERROR(preparePrompt(source, *session), "8 image tokens", "expected 4",
                "1 image");
  source = twoImages();
  source.ids[8] = TokenId(9);
  source.ids[11] = TokenId(185);
  QVERIFY_ERROR(preparePrompt(source, *session), "image 1 are apart", "6 to 11");
  // Without a token after the last image, the first x would be an image token.
  source = twoImages();
  source.ids.resize(24);
  RunRequest request = requestFor(preparePrompt(source, *session), {.steps = 2});
  QVERIFY_ERROR(TorchComparison(session, request), "20 to 23",
                "a token after the last image");
  QVERIFY_ERROR(preparePrompt(twoImages("6-7"), *session), "only a part of the image",
                "6 to 9");
  QVERIFY_ERROR(preparePrompt(twoImages("image:3"), *session), "no image 3", "1 to 2");
}

void tst_image_runs::refusesModelsThatCannotTakeImages() {
  const auto text = test::openSession({.folder = test::data("golden/gemma3_text")});
  QVERIFY_ERROR(requireVision(nullptr), "takes no images");
  PromptSource source = twoImages();
  QVERIFY_ERROR(preparePrompt(source, *text), "reads text only", "takes no images");
  const QTemporaryDir folder;
  const std::filesystem::path copy = folder.filePath("copy").toStdString();
  std::filesystem::create_directories(copy);
  for (const char* name : {"config.json", "model.safetensors"})
    std::filesystem::copy_file(imageModel() / name, copy / name);
  QVERIFY_ERROR(preparePrompt(source, *imageSession(DType::F32, copy)),
                "preprocessor_config.json is missing");
}

void tst_image_runs::stopsOnRequest() {
  const auto session = imageSession(DType::F32);
  TorchComparison comparison(
      session, requestFor(preparePrompt(twoImages(), *session), {.steps = 2}));
  test::StoppedProgress stopped;
  QVERIFY_THROWS_EXCEPTION(Error, comparison.prefill(stopped));
}

EQUIPATCH_TEST(tst_image_runs)
#include "tst_image_runs.moc"
