// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/image_map.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/run/backend.h"
#include "core/run/prompt_images.h"
#include "core/run/run_origin.h"
#include "core/work/control.h"

namespace equipatch {
namespace {

void checkMap(const VisionSpec& vision, const ImageMapRequest& request) {
  const auto images = static_cast<std::int64_t>(request.run.images.size());
  if (request.image >= request.run.images.size())
    throw badInput("there is no image " + std::to_string(request.image + 1) +
                   " in the prompt, which has " + std::to_string(images) +
                   "; give its file, or another number");
  const std::int64_t side = vision.pooledGrid();
  if (request.of == MapOf::Growth) return;
  if (request.cells < 1 || side % request.cells != 0)
    throw badInput("the image's tokens form " + std::to_string(side) + " × " +
                   std::to_string(side) + ", which " + std::to_string(request.cells) +
                   " cells on a side do not divide; choose 1, " + std::to_string(side) +
                   " or a number between that divides it");
}

/// A request whose step 0 is the mapped step, with the whole context absorbed. Its prompt
/// contains the tokens of earlier steps.
RunRequest beforeStep(const std::shared_ptr<const Session>& session,
                      const ImageMapRequest& request, Progress& progress) {
  RunRequest run = request.run;
  run.bare = true;
  run.ablated = run.audit = run.measureNoise = run.keepFactors = false;
  run.steps = request.step + 1;
  const auto wholly = [](RunRequest mapped) {
    mapped.absorbed = {};
    mapped.strength = {};
    return mapped;
  };
  if (request.step == 0) return wholly(std::move(run));
  // Only a free run's tokens depend on its absorbed part and strength.
  if (!run.freeRun) run = wholly(std::move(run));
  const auto comparison = backend().makeComparison(session, run);
  comparison->prefill(progress);
  std::vector<std::shared_ptr<const StepRecord>> before;
  while (!comparison->done() && std::ssize(before) < request.step)
    before.push_back(comparison->step(progress));
  if (comparison->done())
    throw badInput("the text ends after " + countText(before.size(), "step") +
                   ", so it has no step " + std::to_string(request.step) +
                   "; choose an earlier one");
  const std::shared_ptr<const StepRecord> last = before.back();
  before.pop_back();
  return wholly(branchedRequest(run, before,
                                {.id = last->continued, .text = last->continuedBytes}));
}

double patchNormOf(const StepRecord& record) {
  double squares = 0.0;
  for (const LayerRecord& layer : record.layers)
    for (const MatrixPatchNorm& matrix : layer.matrices)
      squares += matrix.norm * matrix.norm;
  return std::sqrt(squares);
}

struct ReadStep {
  ImageReading reading;
  std::string token;
};

/// @param run as `beforeStep` returns it
ReadStep readStep(const std::shared_ptr<const Session>& session, RunRequest run,
                  std::vector<PositionRange> kept, Progress& progress) {
  run.steps = 1;
  run.absorbed = {.keptPrompt = kept, .keepsGenerated = false};
  const auto comparison = backend().makeComparison(session, std::move(run));
  comparison->prefill(progress);
  const auto record = comparison->step(progress);
  const LogitDistance bare = record->bareDistance.value_or(LogitDistance{});
  return {{std::move(kept), bare.linf, bare.tvd, patchNormOf(*record), record->match},
          record->tokenText};
}

/// The positions of a cell's tokens. Cells are numbered row by row from the top left.
std::vector<PositionRange> positionsOf(const PromptImage& image, std::int64_t side,
                                       std::int64_t cells, std::int64_t cell) {
  const std::int64_t size = side / cells;
  const std::int64_t top = cell / cells * size, left = cell % cells * size;
  std::vector<bool> kept(static_cast<std::size_t>(image.tokens.last + 1), false);
  for (std::int64_t row = top; row < top + size; ++row)
    for (std::int64_t column = left; column < left + size; ++column)
      kept[static_cast<std::size_t>(image.tokens.first + row * side + column)] = true;
  return rangesOf(kept);
}

std::vector<double> countsTo(std::int64_t count) {
  std::vector<double> counts(static_cast<std::size_t>(count));
  std::iota(counts.begin(), counts.end(), 1.0);
  return counts;
}

/// @param values of the cells, row by row from the top left
LabPanel squarePanel(const std::string& title, const std::string& label,
                     const std::vector<double>& values, std::int64_t side) {
  return {.title = title,
          .x = {.label = "column, from the left"},
          .y = {.label = "row, from the top", .downwards = true},
          .curves = {},
          .map = LabMap{.label = label,
                        .x = countsTo(side),
                        .y = countsTo(side),
                        .values = values,
                        .overPicture = true}};
}

LabPanel panelOf(const ImageMap& map, const std::string& title, const std::string& label,
                 double (*of)(const ImageReading&)) {
  std::vector<double> values;
  for (const ImageReading& part : map.parts) values.push_back(of(part));
  return squarePanel(title, label, values, map.cells);
}

LabPanel layerPanel(const ImageGrowth& growth) {
  LabMap map{.label = "‖change of ΔW‖",
             .scale = LabScale::Logarithmic,
             .x = countsTo(growth.side * growth.side),
             .y = countsTo(std::ssize(growth.layers))};
  for (double& layer : map.y) layer -= 1.0;  // layers count from 0
  for (const std::vector<double>& layer : growth.layers)
    map.values.insert(map.values.end(), layer.begin(), layer.end());
  return {.title = "Change of ΔW by token and layer",
          .x = {.label = "token of the image, row by row"},
          .y = {.label = "layer"},
          .curves = {},
          .map = std::move(map)};
}

void addOrigin(const Session& session, const ImageMapRequest& request,
               LabResult& result) {
  const Provenance provenance = provenanceOf(session);
  const PictureFile& picture = *request.run.images[request.image].picture;
  result.origin = {.setting = "own",
                   .choices = {{"model", session.modelName()},
                               {"dtype", std::string(torchName(session.dtype()))},
                               {"picture", replaceInvalidUtf8(picture.name)},
                               {"sha256", picture.sha256},
                               {"image", static_cast<std::int64_t>(request.image) + 1},
                               {"step", request.step},
                               {"prompt", shownPrompt(request.run)}},
                   .threads = provenance.threads,
                   .program = provenance.program,
                   .torch = provenance.torch,
                   .processor = provenance.processor,
                   .startTime = provenance.startTime};
  if (request.of == MapOf::KeptCells)
    result.origin.choices.push_back({"cells", request.cells});
  if (!picture.bytes.empty())
    result.picture = LabPicture{replaceInvalidUtf8(picture.name), picture.bytes};
}

class ImageMapJob final : public Job {
 public:
  ImageMapJob(std::shared_ptr<const Session> session, ImageMapRequest request,
              std::shared_ptr<ImageMapSink> sink)
      : m_session(std::move(session)),
        m_request(std::move(request)),
        m_sink(std::move(sink)) {}

  std::string name() const override { return "Map the image"; }

  void run(Control& control) override {
    auto mapped = std::make_shared<MappedImage>();
    mapped->of = m_request.of;
    mapped->step = m_request.step;
    if (m_request.of == MapOf::Growth) {
      mapped->growth = growOverImage(m_session, m_request, control);
      mapped->figures = labResultOf(mapped->growth, *m_session, m_request);
    } else {
      mapped->map = mapImage(m_session, m_request, control);
      mapped->figures = labResultOf(mapped->map, *m_session, m_request);
    }
    m_sink->imageMapped(std::move(mapped));
  }

 private:
  std::shared_ptr<const Session> m_session;
  ImageMapRequest m_request;
  std::shared_ptr<ImageMapSink> m_sink;
};

}  // namespace

std::vector<std::int64_t> mapDivisions(std::int64_t side) {
  std::vector<std::int64_t> divisions;
  for (std::int64_t cells = 2; cells <= side; ++cells)
    if (side % cells == 0) divisions.push_back(cells);
  return divisions;
}

std::int64_t usualDivision(std::int64_t side) {
  constexpr std::int64_t kUsual = 4;
  const std::vector<std::int64_t> all = mapDivisions(side);
  if (all.empty()) return 1;
  const auto above = std::ranges::upper_bound(all, kUsual);
  return above == all.begin() ? all.front() : *std::prev(above);
}

std::unique_ptr<Job> makeImageMapJob(std::shared_ptr<const Session> session,
                                     ImageMapRequest request,
                                     std::shared_ptr<ImageMapSink> sink) {
  return std::make_unique<ImageMapJob>(std::move(session), std::move(request),
                                       std::move(sink));
}

std::vector<double> ImageGrowth::overLayers() const {
  std::vector<double> norms(static_cast<std::size_t>(side * side), 0.0);
  for (const std::vector<double>& layer : layers)
    for (std::size_t token = 0; token < norms.size(); ++token)
      norms[token] += layer[token] * layer[token];
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

MapCost costOf(const ImageMapRequest& request, std::int64_t side) {
  // One run, with one prefill, computes all steps before the mapped step.
  const std::int64_t before = request.step > 0 ? 1 : 0;
  if (request.of == MapOf::Growth)
    return {.readings = before + 1, .passes = 2 * (side * side + 1)};
  return {.readings = before + 1 + request.cells * request.cells, .passes = 0};
}

MapCost costOf(const ImageMapRequest& request, const Session& session) {
  const VisionSpec& vision = requireVision(session.spec());
  checkMap(vision, request);
  return costOf(request, vision.pooledGrid());
}

ImageMap mapImage(const std::shared_ptr<const Session>& session,
                  const ImageMapRequest& request, Progress& progress) {
  const VisionSpec& tower = requireVision(session->spec());
  checkMap(tower, request);
  const std::int64_t count = request.cells * request.cells;
  const auto share = [&](std::int64_t readings) {
    return static_cast<double>(readings) / static_cast<double>(count + 2);
  };
  PartialProgress beginning(progress, 0.0, share(1));
  const RunRequest run = beforeStep(session, request, beginning);
  const PromptImage& image = run.images[request.image];
  PartialProgress first(progress, share(1), share(2));
  ReadStep nothing = readStep(session, run, {}, first);
  ImageMap map{.picture = image.picture->name,
               .token = std::move(nothing.token),
               .cells = request.cells,
               .nothing = std::move(nothing.reading),
               .parts = {}};
  for (std::int64_t cell = 0; cell < count; ++cell) {
    progress.throwIfStopped();
    PartialProgress part(progress, share(cell + 2), share(cell + 3));
    map.parts.push_back(
        readStep(session, run,
                 positionsOf(image, tower.pooledGrid(), request.cells, cell), part)
            .reading);
  }
  return map;
}

ImageGrowth growOverImage(const std::shared_ptr<const Session>& session,
                          const ImageMapRequest& request, Progress& progress) {
  const VisionSpec& tower = requireVision(session->spec());
  checkMap(tower, request);
  PartialProgress beginning(progress, 0.0, 0.2), growing(progress, 0.2, 1.0);
  const RunRequest run = beforeStep(session, request, beginning);
  const PromptImage& image = run.images[request.image];
  return {.picture = image.picture->name,
          .side = tower.pooledGrid(),
          .layers = backend().contextGrowth(*session, run, image.tokens, growing)};
}

LabResult labResultOf(const ImageGrowth& growth, const Session& session,
                      const ImageMapRequest& request) {
  const std::vector<double> all = growth.overLayers();
  LabResult result{.experiment = "image-growth",
                   .title = "What " + replaceInvalidUtf8(growth.picture) +
                            " changes at step " + std::to_string(request.step),
                   .finished = true};
  result.panels = {squarePanel("Change of ΔW as the context grows by this token",
                               "‖change of ΔW‖, all layers", all, growth.side),
                   layerPanel(growth)};
  result.scalars = {
      {.name = "largest change of ΔW by one token",
       .value = *std::ranges::max_element(all)},
      {.name = "change of ΔW by the image's last token", .value = all.back()}};
  result.notes = {
      "The context grows by the image's tokens row by row from the top left, after the "
      "tokens before the image. A token's keys and values are those of the contextual "
      "pass, in which the tokens of an image see each other."};
  addOrigin(session, request, result);
  return result;
}

LabResult labResultOf(const ImageMap& map, const Session& session,
                      const ImageMapRequest& request) {
  LabResult result{.experiment = "image-map",
                   .title = "What each part of " + replaceInvalidUtf8(map.picture) +
                            " brings to step " + std::to_string(request.step),
                   .finished = true};
  result.panels = {
      panelOf(map, "bare pass when only this cell is kept", "TVD",
              [](const ImageReading& reading) { return reading.bareTvd; }),
      panelOf(map, "bare pass when only this cell is kept", "L∞ of the logits",
              [](const ImageReading& reading) { return reading.bareLinf; }),
      panelOf(map, "patch when only this cell is kept", "‖ΔW‖",
              [](const ImageReading& reading) { return reading.patchNorm; })};
  result.scalars = {{.name = "bare TVD, nothing kept", .value = map.nothing.bareTvd},
                    {.name = "bare L∞, nothing kept", .value = map.nothing.bareLinf},
                    {.name = "‖ΔW‖, nothing kept", .value = map.nothing.patchNorm}};
  result.notes = {
      "The kept rows come from the contextual pass, in which the tokens of an image see "
      "each other, so a cell holds something of the whole image."};
  addOrigin(session, request, result);
  return result;
}

}  // namespace equipatch
