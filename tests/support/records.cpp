// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "core/base/hash.h"
#include "core/record/file/run_writer.h"

namespace equipatch::test {
namespace {

constexpr std::array<const char*, 16> kWords = {
    " Once",    " upon", " a",    " time",  ",", " there", " was", " a",
    " monster", " who",  " read", " books", ".", "\n",     " He",  " wept"};
constexpr double kLinf = 3e-3;

// A pseudo-random value in [0, 1) of its arguments.
double noiseOf(int a, int b) {
  const double x = std::sin(a * 12.9898 + b * 78.233) * 43758.5453;
  return x - std::floor(x);
}

Choices makeChoices(int step, int shift, double sharpness) {
  Choices choices;
  double rest = 1.0;
  for (int rank = 0; rank < 10; ++rank) {
    const int word = (step * 7 + rank + shift) % int(kWords.size());
    const double probability = rest * sharpness;
    rest -= probability;
    choices.push_back({TokenId(word), kWords[std::size_t(word)],
                       12.0 + std::log(probability), probability});
  }
  return choices;
}

LayerRecord makeLayer(int step, int layer, const RecordShape& shape) {
  LayerRecord record;
  const double depth = (layer + 1.0) / shape.layers;
  const double wobble = 0.7 + 0.6 * noiseOf(step, layer);
  record.matrices = {{"gate", 0.9 * depth * wobble, 0.02 * depth * wobble},
                     {"up", 0.7 * depth * wobble, 0.016 * depth * wobble},
                     {"down", 0.2 * wobble, 0.005 * wobble}};
  record.effect = 0.4 * depth * wobble;
  record.zNorm = 11.0 * wobble;
  record.zCosine = 0.98 - 0.2 * depth;
  record.hiddenError = 2e-3 * std::sqrt(depth) * wobble;
  if (shape.closesWithBias) record.biasNorm = 0.3 * wobble;
  if (!shape.closesWithScale) return record;
  double sum = 0.0;
  for (int channel = 0; channel < shape.width; ++channel) {
    double delta = (noiseOf(channel + 1, layer * 31 + step) - 0.5) * 0.1 * depth;
    if (channel == shape.width / 3) delta = 1.5 * depth;
    record.scaleDelta.push_back(float(delta));
    record.scaleMax = std::max(record.scaleMax, std::abs(delta));
    sum += delta * delta;
  }
  record.scaleNorm = std::sqrt(sum);
  return record;
}

}  // namespace

void recordRun(const RunHeader& header,
               const std::vector<std::shared_ptr<const StepRecord>>& steps,
               const std::filesystem::path& path) {
  RunRecorder recorder(path, ExistingFile::Refuse, std::make_shared<NullSink>());
  RunHeader withPrompt = header;
  withPrompt.request.prompt = {{.id = TokenId(1)}};
  recorder.runStarted(std::make_shared<const RunHeader>(withPrompt));
  for (const auto& step : steps) recorder.stepTaken(step);
  recorder.finish(RunEnding::Complete);
}

std::shared_ptr<const RunHeader> makeHeader(const RecordShape& shape) {
  auto header = std::make_shared<RunHeader>();
  header->modelName = "synthetic";
  header->modelFolder = "/models/synthetic";
  header->architecture = "SyntheticForCausalLM";
  header->dtype = DType::BF16;
  header->device = "cpu";
  header->computesFloat32 = shape.computesFloat32;
  header->layers = shape.layers;
  header->width = shape.width;
  header->vocabulary = 1000;
  header->closesWithScale = shape.closesWithScale;
  header->closesWithBias = shape.closesWithBias;
  header->patchedMatrices = {"gate", "up", "down"};
  header->request.measureNoise = shape.noise;
  header->request.audit = shape.audit;
  header->request.ablated = header->request.absorbed.keepsGenerated = shape.ablated;
  return header;
}

std::shared_ptr<const RunHeader> withPicture(const RunHeader& header) {
  auto with = std::make_shared<RunHeader>(header);
  PictureFile picture{.name = "flag.ppm", .sha256 = {}, .bytes = "P6 3 2 255\n"};
  for (int value = 0; value < 18; ++value) picture.bytes += static_cast<char>(value * 10);
  picture.sha256 = sha256(std::as_bytes(std::span(picture.bytes)));
  RunRequest& request = with->request;
  request.promptText = "What <image><image>is this?";
  request.prompt = {{.id = TokenId(1), .piece = "What ", .span = {0, 5}},
                    {.id = TokenId(9), .piece = "<image>", .span = {5, 12}},
                    {.id = TokenId(9), .piece = "<image>", .span = {12, 19}},
                    {.id = TokenId(2), .piece = "is this?", .span = {19, 27}}};
  request.images = {{std::make_shared<const PictureFile>(std::move(picture)), {1, 2}}};
  return with;
}

std::shared_ptr<const StepRecord> makeRecord(int step, const RecordShape& shape) {
  auto record = std::make_shared<StepRecord>();
  const bool match = shape.mismatchEvery == 0 || (step + 1) % shape.mismatchEvery != 0;
  record->step = StepIndex(step);
  record->position = Position(step + 5);
  record->match = match;
  record->contextual = makeChoices(step, 0, match ? 0.6 : 0.35);
  record->patched = makeChoices(step, match ? 0 : 1, match ? 0.6 : 0.35);
  record->bare = makeChoices(step, 4, 0.3);
  record->token = record->continued = record->contextual.front().id;
  record->patchedToken = record->patched.front().id;
  record->tokenText = record->contextual.front().text;
  record->patchedText = record->patched.front().text;
  const double wobble = 0.5 + noiseOf(step, 3);
  record->patchedDistance = {kLinf * wobble, 4e-4 * wobble, 1e-7 * wobble};
  record->bareDistance = LogitDistance{9.0 + 4.0 * noiseOf(step, 5), 0.8, 3.1};
  record->margin = match ? 0.05 + 3.0 * noiseOf(step, 7) : kLinf * wobble;
  if (shape.audit) record->auditDistance = LogitDistance{3e-3 * wobble, 3e-4, 8e-8};
  if (shape.ablated) {
    record->ablatedDistance = LogitDistance{10.0 + noiseOf(step, 11), 0.9, 4.0 + wobble};
    record->ablated = makeChoices(step, 5, 0.3);
  }
  if (shape.noise) {
    record->noise = LogitDistance{2e-3 * wobble, 2e-4, 5e-8};
    record->layerNoise.assign(std::size_t(shape.layers), 1.5e-3);
  }
  for (int layer = 0; layer < shape.layers; ++layer)
    record->layers.push_back(makeLayer(step, layer, shape));
  record->milliseconds = 12.5;
  return record;
}

}  // namespace equipatch::test
