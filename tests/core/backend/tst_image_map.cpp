// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/image_map.h"

#include <QTemporaryDir>
#include <cmath>

#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/model/weights.h"
#include "core/run/backend.h"
#include "core/run/prepared_prompt.h"
#include "tests/core/model/tensor_difference.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

std::filesystem::path mapModel() {
  return test::data("images/gemma3_mm");
}

/// The golden checkpoint's prompt, with images of 2 × 2 tokens that begin at positions 6
/// and 20.
ImageMapRequest mapRequest(const Session& session, std::int64_t cells) {
  const SafetensorsFile golden = SafetensorsFile::open(mapModel() / "golden.safetensors");
  const Tensor ids = storedTensor(golden.tensors().at("input_ids")).flatten();
  PromptSource source{.text = {}};
  for (std::int64_t at = 0; at < ids.numel(); ++at)
    source.ids.emplace_back(ids[at].item<std::int64_t>());
  for (const char* name : {"image0.png", "image1.png"})
    source.images.push_back(readPicture(mapModel() / name));
  return {.run = requestFor(preparePrompt(source, session), {}), .cells = cells};
}

std::shared_ptr<const Session> mapSession() {
  return test::openSession({.folder = mapModel(), .dtype = DType::F32});
}

ImageMap mapped(const std::shared_ptr<const Session>& session,
                const ImageMapRequest& request) {
  SilentProgress silent;
  return mapImage(session, request, silent);
}

std::shared_ptr<const StepRecord> absorbedStep(
    const std::shared_ptr<const Session>& session, RunRequest request,
    AbsorbedSet absorbed, std::int64_t step) {
  request.absorbed = std::move(absorbed);
  request.steps = step + 1;
  SilentProgress silent;
  const auto comparison = backend().makeComparison(session, request);
  comparison->prefill(silent);
  std::shared_ptr<const StepRecord> record;
  for (std::int64_t at = 0; at <= step; ++at) record = comparison->step();
  return record;
}

}  // namespace

class tst_image_map : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void eachReadingKeepsOneCellOfTheImage();
  void mapsALaterStep();
  void aFreeRunIsMappedOnItsOwnTokens();
  void isStoredAsAResultOfTheLab();
  void patchChangesAreMeasuredPerImageToken();
  void growthIsStoredAsAResultOfTheLab();
  void refusesInvalidRequests();
  void usualCellsPerSideAreAtMostFourIfPossible();
};

void tst_image_map::eachReadingKeepsOneCellOfTheImage() {
  const auto session = mapSession();
  const ImageMapRequest request = mapRequest(*session, 2);
  QCOMPARE(costOf(request, *session).readings, 5);
  QCOMPARE(costOf(request, *session).passes, 0);
  const ImageMap map = mapped(session, request);
  QCOMPARE(map.picture, std::string("image0.png"));
  QCOMPARE(map.parts.size(), std::size_t{4});
  const auto whole = absorbedStep(session, request.run, {}, 0);
  QCOMPARE(map.nothing.bareLinf, whole->bareDistance->linf);
  QCOMPARE(map.nothing.bareTvd, whole->bareDistance->tvd);
  QVERIFY(map.nothing.patchNorm > 0.0);
  for (std::int64_t cell = 0; cell < 4; ++cell) {
    const ImageReading& part = map.parts[static_cast<std::size_t>(cell)];
    const std::int64_t at = request.run.images[0].tokens.first + cell;
    QVERIFY(part.kept == (std::vector<PositionRange>{{at, at}}));
    const auto alone = absorbedStep(
        session, request.run, {.keptPrompt = {{at, at}}, .keepsGenerated = false}, 0);
    QCOMPARE(part.bareLinf, alone->bareDistance->linf);
    QVERIFY(part.match);
    QVERIFY(part.bareLinf != map.nothing.bareLinf);
  }
  // One cell is the whole image.
  const ImageMap one = mapped(session, mapRequest(*session, 1));
  QVERIFY(one.parts[0].kept ==
          (std::vector<PositionRange>{request.run.images[0].tokens}));
}

void tst_image_map::mapsALaterStep() {
  const auto session = mapSession();
  ImageMapRequest request = mapRequest(*session, 1);
  request.image = 1;
  request.step = 3;
  request.run.ignoreEndOfSequence = true;
  const ImageMap map = mapped(session, request);
  QCOMPARE(map.picture, std::string("image1.png"));
  const auto run = absorbedStep(session, request.run, {}, 3);
  QCOMPARE(map.token, run->tokenText);
  QVERIFY(std::abs(map.nothing.bareLinf - run->bareDistance->linf) < 1e-5);
}

void tst_image_map::aFreeRunIsMappedOnItsOwnTokens() {
  const auto session = mapSession();
  ImageMapRequest request = mapRequest(*session, 1);
  request.step = 3;
  request.run.ignoreEndOfSequence = true;
  const auto forced = mapped(session, request);
  request.run.freeRun = true;
  request.run.strength.alpha = 5.0;
  const ImageMap map = mapped(session, request);
  const auto run = absorbedStep(session, request.run, {}, 3);
  QVERIFY(map.nothing.bareLinf != forced.nothing.bareLinf);
  QCOMPARE(map.token, run->tokenText);
  QVERIFY(std::abs(map.nothing.bareLinf - run->bareDistance->linf) < 1e-5);
  QVERIFY(map.nothing.match);  // its readings ignore alpha
}

void tst_image_map::isStoredAsAResultOfTheLab() {
  const auto session = mapSession();
  const ImageMapRequest request = mapRequest(*session, 2);
  const ImageMap map = mapped(session, request);
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("map.json").toStdString();
  saveLabResult(labResultOf(map, *session, request), path);
  const LabResult result = readLabResult(path);
  QCOMPARE(result.panels.size(), std::size_t{3});
  QCOMPARE(result.panels[0].map->values[0], map.parts[0].bareTvd);
  QCOMPARE(result.panels[2].map->values[1], map.parts[1].patchNorm);
  QVERIFY(result.panels[0].y.downwards && result.panels[0].map->overPicture);
  QVERIFY(result.picture->bytes == request.run.images[0].picture->bytes);
}

/// The first layer is local. At position 30, the image is outside this layer's window of
/// six tokens, so no image token changes this layer's patch.
void tst_image_map::patchChangesAreMeasuredPerImageToken() {
  const auto session = mapSession();
  ImageMapRequest request = mapRequest(*session, 4);  // growth ignores cells
  request.of = MapOf::Growth;
  QCOMPARE(costOf(request, *session).readings, 1);
  QCOMPARE(costOf(request, *session).passes, 10);
  SilentProgress silent;
  const ImageGrowth growth = growOverImage(session, request, silent);
  QCOMPARE(growth.picture, std::string("image0.png"));
  QCOMPARE(growth.side, 2);
  QCOMPARE(std::ssize(growth.layers), session->spec().layerCount());
  for (std::size_t layer = 0; layer < growth.layers.size(); ++layer) {
    QCOMPARE(growth.layers[layer].size(), std::size_t{4});
    for (const double change : growth.layers[layer])
      QVERIFY(layer == 0 ? change == 0.0 : change >= 0.0);
  }
  for (const double change : growth.layers[5]) QVERIFY(change > 0.0);  // a global layer
  const std::vector<double> all = growth.overLayers();
  QCOMPARE(all.size(), std::size_t{4});
  for (std::size_t token = 0; token < all.size(); ++token) {
    double squares = 0.0;
    for (const auto& layer : growth.layers) squares += layer[token] * layer[token];
    QVERIFY(std::abs(all[token] * all[token] - squares) <= 1e-12 * squares);
  }
  ImageMapRequest other = request;
  other.run.images[1].picture = other.run.images[0].picture;
  QVERIFY(growOverImage(session, other, silent).layers == growth.layers);
  other.run.images[0].picture = request.run.images[1].picture;
  QVERIFY(growOverImage(session, other, silent).layers != growth.layers);
  QVERIFY_ERROR(backend().contextGrowth(*session, other.run, {0, 30}, silent), "0 to 30");
  other.run.prompt.resize(129);
  QVERIFY_ERROR(backend().contextGrowth(*session, other.run, {0, 5}, silent),
                "129 tokens", "128 positions");
  test::StoppedProgress stopped;
  QVERIFY_ERROR(growOverImage(session, request, stopped), "stop");
}

void tst_image_map::growthIsStoredAsAResultOfTheLab() {
  const auto session = mapSession();
  ImageMapRequest request = mapRequest(*session, 2);
  request.of = MapOf::Growth;
  request.step = 2;
  request.run.ignoreEndOfSequence = true;
  SilentProgress silent;
  const ImageGrowth growth = growOverImage(session, request, silent);
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("growth.json").toStdString();
  saveLabResult(labResultOf(growth, *session, request), path);
  const LabResult result = readLabResult(path);
  QCOMPARE(result.panels.size(), std::size_t{2});
  QCOMPARE(result.panels[0].map->values[2], growth.overLayers()[2]);
  QVERIFY(result.panels[0].map->overPicture && !result.panels[1].map->overPicture);
  QCOMPARE(result.panels[1].map->values[4 * 5 + 3], growth.layers[5][3]);
  QCOMPARE(result.scalars[1].value, growth.overLayers()[3]);
}

void tst_image_map::refusesInvalidRequests() {
  const auto session = mapSession();
  ImageMapRequest request = mapRequest(*session, 3);
  SilentProgress silent;
  QVERIFY_ERROR(mapImage(session, request, silent), "2 × 2", "3 cells");
  request.cells = 2;
  request.image = 2;
  QVERIFY_ERROR(mapImage(session, request, silent), "no image 3", "which has 2");
  const auto text = Session::open({.folder = test::data("golden/gemma3_text")}, silent);
  QVERIFY_ERROR(mapImage(text, request, silent), "takes no images");
}

void tst_image_map::usualCellsPerSideAreAtMostFourIfPossible() {
  QCOMPARE(usualDivision(16), 4);
  QCOMPARE(usualDivision(6), 3);
  QCOMPARE(usualDivision(7), 7);
  QCOMPARE(usualDivision(1), 1);
}

EQUIPATCH_TEST(tst_image_map)
#include "tst_image_map.moc"
