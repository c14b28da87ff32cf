// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/record/random_runs.h"

#include <bit>
#include <cmath>

namespace equipatch::test {

std::int64_t RandomRuns::count(std::int64_t most) {
  return std::int64_t(m_random() % std::uint64_t(most + 1));
}

double RandomRuns::number() {
  for (;;)
    if (const double value = std::bit_cast<double>(m_random()); std::isfinite(value))
      return value;
}

std::string RandomRuns::text() {
  std::string bytes;
  for (std::int64_t size = count(12); size > 0; --size) bytes += char(count(255));
  return bytes;
}

template <typename Number>
std::vector<Number> RandomRuns::numbers(std::int64_t size) {
  std::vector<Number> values;
  while (std::int64_t(values.size()) < size) values.push_back(Number(number()));
  return values;
}

std::optional<LogitDistance> RandomRuns::distance() {
  if (flag()) return std::nullopt;
  return LogitDistance{number(), number(), number()};
}

Choices RandomRuns::choices() {
  Choices list;
  for (std::int64_t size = count(4); size > 0; --size)
    list.push_back({id(), text(), number(), number(), text()});
  return list;
}

RunRequest RandomRuns::request(std::int64_t layers) {
  RunRequest request;
  request.promptText = text();
  do {
    const std::size_t end = std::size_t(count(std::int64_t(request.promptText.size())));
    request.prompt.push_back({id(), text(), {end / 2, end}, flag()});
  } while (flag());
  request.steps = anyCount();
  for (std::int64_t at = count(3); flag(); at += 2 + count(4))
    request.absorbed.keptPrompt.push_back({at, at + count(1)});
  std::erase_if(request.absorbed.keptPrompt, [&](const PositionRange& range) {
    return range.last >= std::ssize(request.prompt);
  });
  request.absorbed.keepsGenerated = flag();
  request.patch = {Method(count(2)), Loop(count(2)), Application(count(1))};
  request.strength.alpha = number();
  for (std::int64_t layer = 0; layer < layers; ++layer)
    if (flag()) request.strength.layers.push_back(layer);
  request.execution = Execution(count(1));
  request.sampling = {number(), anyCount(), number(), m_random()};
  request.bare = flag();
  request.audit = flag();
  request.measureNoise = flag();
  request.freeRun = flag();
  request.roundLogits = flag();
  request.ignoreEndOfSequence = flag();
  request.keepFactors = flag();
  request.topChoices = anyCount();
  request.ablated = flag();
  request.specials = SpecialTokens(count(2));
  return request;
}

RunHeader RandomRuns::header() {
  RunHeader header;
  header.modelName = text();
  header.modelFolder = text();
  header.architecture = text();
  header.dtype = DType(count(3));
  header.computesFloat32 = flag();
  header.device = text();
  header.weights = WeightPlace(header.computesFloat32);
  header.layers = count(4);
  header.width = 1 + count(8);
  header.vocabulary = anyCount();
  header.closesWithScale = flag();
  header.closesWithBias = flag();
  header.patchedMatrices = {"gate", "up", "down"};
  header.provenance = {text(), text(), text(), anyCount(), text(), text(), {}};
  for (std::int64_t files = count(2); files > 0; --files)
    header.provenance.tensorFiles.push_back({text(), text(), text()});
  for (std::int64_t layer = 0; layer < header.layers; ++layer)
    for (const char* weight : {"W_gate", "experts.1.W_down"}) {
      header.parameters.push_back({.name = layerWeight(layer, weight),
                                   .tensor = text(),
                                   .module = text(),
                                   .shape = {1 + count(5), 1 + count(5)},
                                   .part = {flag(), 1 + count(9), 1 + count(9), count(9)},
                                   .storedMinusOne = flag()});
      PatchedParameter& parameter = header.parameters.back();
      parameter.shape[0] *= parameter.part.groups;
      parameter.part.index %= parameter.part.parts;
    }
  header.request = request(header.layers);
  return header;
}

LayerRecord RandomRuns::layer(const RunHeader& header) {
  LayerRecord layer;
  for (std::int64_t matrices = count(3); matrices > 0; --matrices)
    layer.matrices.push_back({text(), number(), number()});
  layer.scaleNorm = number();
  layer.scaleMax = number();
  if (flag()) layer.scaleDelta = numbers<float>(header.width);
  layer.biasNorm = number();
  for (std::int64_t experts = count(3); experts > 0; --experts)
    layer.experts.push_back(anyCount());
  layer.gateSum = number();
  layer.effect = number();
  layer.zNorm = number();
  layer.zCosine = number();
  layer.hiddenError = number();
  layer.smallestDivisor = number();
  layer.hardCase = flag();
  layer.guarded = anyCount();
  layer.note = text();
  return layer;
}

std::shared_ptr<const PatchFactors> RandomRuns::factors(const RunHeader& header) {
  auto factors = std::make_shared<PatchFactors>(std::size_t(header.layers));
  for (std::int64_t index = 0; index < header.layers; ++index) {
    LayerFactors& layer = (*factors)[std::size_t(index)];
    for (std::size_t which : {1u, 0u}) {
      if (flag()) continue;
      const PatchedParameter& parameter =
          header.parameters[std::size_t(2 * index) + which];
      const std::string prefix = layerWeight(index, "");
      layer.matrices.push_back({parameter.name.substr(prefix.size()),
                                numbers<double>(parameter.shape[0]),
                                numbers<double>(parameter.shape[1])});
    }
    for (auto* vector :
         {&layer.scale, &layer.scaleDelta, &layer.denseScale, &layer.bias,
          &layer.biasDelta, &layer.v, &layer.z, &layer.vContext, &layer.zContext})
      if (flag()) *vector = numbers<double>(header.width);
  }
  return factors;
}

StepRecord RandomRuns::step(const RunHeader& header, std::int64_t index) {
  StepRecord record;
  record.step = StepIndex(index);
  record.position = Position(anyCount());
  record.x = id();
  record.token = id();
  record.patchedToken = id();
  record.continued = id();
  record.tokenText = text();
  record.patchedText = text();
  record.continuedBytes = text();
  record.match = flag();
  if (header.request.samples()) record.sampledMatch = flag();
  record.margin = number();
  record.contextual = choices();
  record.patched = choices();
  record.bare = choices();
  record.patchedDistance = {number(), number(), number()};
  record.bareDistance = distance();
  record.auditDistance = distance();
  record.noise = distance();
  record.rounding = distance();
  for (std::int64_t at = 0; at < header.layers; ++at)
    record.layers.push_back(layer(header));
  if (flag()) record.layerNoise = numbers<double>(header.layers);
  if (flag()) record.layerRounding = numbers<double>(header.layers);
  if (header.request.keepFactors) record.factors = factors(header);
  record.milliseconds = number();
  record.ablated = choices();
  record.ablatedDistance = distance();
  return record;
}

}  // namespace equipatch::test
