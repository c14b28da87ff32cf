// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_origin.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/base/machine.h"
#include "core/base/paths.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/layer_spec.h"
#include "core/patch/layer_record.h"
#include "core/patch/planner.h"
#include "core/record/run_record.h"
#include "core/run/backend.h"
#include "core/run/session.h"

namespace equipatch {
namespace {

constexpr MatrixRole kRoles[] = {MatrixRole::Router, MatrixRole::SharedRouter,
                                 MatrixRole::Gate,   MatrixRole::Up,
                                 MatrixRole::In,     MatrixRole::Down};

/// Canonical names, within a layer, of the weights that the plan patches. Each layer has
/// those that the checkpoint contains.
std::vector<std::string> patchedWeights(const ModelSpec& spec) {
  const PatchPlan plan = planPatch(spec);
  std::vector<std::string> weights;
  const auto addMatrices = [&](std::int64_t expert) {
    for (const MatrixRole role : kRoles) {
      const std::string weight = weightName({role, expert});
      // A dense MLP beside experts has the names of a layer's only MLP.
      const bool isNew = std::ranges::count(weights, weight) == 0;
      if (isNew && std::ranges::count(plan.matrices, matrixName({role, expert})) > 0)
        weights.push_back(weight);
    }
  };
  addMatrices(MatrixId::kDense);
  addMatrices(MatrixId::kBeside);
  const std::int64_t experts = spec.moe ? spec.moe->experts : 0;
  for (std::int64_t expert = 0; expert < experts; ++expert) addMatrices(expert);
  addMatrices(MatrixId::kShared);
  if (std::ranges::count(plan.matrices, kDenseScale) > 0)
    weights.emplace_back("dense_post_norm");
  if (plan.closesWithScale) weights.emplace_back("mlp_post_norm");
  if (plan.closesWithBias)
    weights.emplace_back(spec.closesWithNormBias() ? "mlp_post_norm.bias" : "b_down");
  return weights;
}

std::vector<std::int64_t> recurrentLayersOf(const ModelSpec& spec) {
  std::vector<std::int64_t> layers;
  for (std::int64_t layer = 0; layer < spec.layerCount(); ++layer)
    if (spec.layers[static_cast<std::size_t>(layer)].recurrent) layers.push_back(layer);
  return layers;
}

}  // namespace

std::vector<PatchedParameter> patchedParameters(const Session& session) {
  const Checkpoint& checkpoint = session.checkpoint();
  const std::vector<std::string> weights = patchedWeights(session.spec());
  std::vector<PatchedParameter> parameters;
  for (std::int64_t layer = 0; layer < session.spec().layerCount(); ++layer)
    for (const std::string& weight : weights) {
      const std::string name = layerWeight(layer, weight);
      if (!checkpoint.has(name)) continue;
      const StoredWeight& stored = checkpoint.weight(name);
      const bool scale = weight.ends_with("post_norm");
      parameters.push_back(
          {.name = name,
           .tensor = stored.name,
           .module = stored.moduleName,
           .shape = stored.shape,
           .part = stored.part,
           .storedMinusOne = scale && session.spec().norm.storedMinusOne});
    }
  return parameters;
}

namespace {

Provenance originOf(const Checkpoint& checkpoint,
                    const std::vector<TensorFileHash>& files) {
  return {.program = EQUIPATCH_VERSION,
          .torch = backend().torchVersion(),
          .processor = processorName(),
          .threads = backend().threads(),
          .startTime = utcNow(),
          .configSha256 = checkpoint.configSha256(),
          .tensorFiles = files};
}

}  // namespace

std::vector<TensorFileHash> tensorFileHashes(const Checkpoint& checkpoint) {
  std::vector<TensorFileHash> hashes;
  for (const SafetensorsFile& file : checkpoint.files())
    hashes.push_back({.file = file.path().filename().string(),
                      .headerSha256 = sha256(file.header()),
                      .dataSampleSha256 = file.dataSampleSha256()});
  return hashes;
}

Provenance provenanceOf(const Session& session) {
  return originOf(session.checkpoint(), session.tensorFiles());
}

Provenance provenanceOf(const Checkpoint& checkpoint) {
  return originOf(checkpoint, tensorFileHashes(checkpoint));
}

RunHeader headerOf(const Session& session, RunRequest request) {
  const PatchPlan plan = planPatch(session.spec());
  return {.modelName = session.modelName(),
          .modelFolder = absoluteFolder(session.folder()).string(),
          .architecture = session.spec().architecture,
          .dtype = session.dtype(),
          .computesFloat32 = session.computesFloat32(),
          .device = session.device(),
          .weights = session.weightPlace(),
          .layers = session.spec().layerCount(),
          .width = session.spec().width,
          .vocabulary = session.spec().vocabulary,
          .closesWithScale = plan.closesWithScale,
          .closesWithBias = plan.closesWithBias,
          .patchedMatrices = plan.matrices,
          .recurrentLayers = recurrentLayersOf(session.spec()),
          .parameters = patchedParameters(session),
          .provenance = provenanceOf(session),
          .request = std::move(request)};
}

std::vector<std::string> differences(const Provenance& then, const Provenance& now) {
  std::vector<std::string> clauses = differentWeights(then, now);
  const auto compare = [&](const std::string& what, const std::string& before,
                           const std::string& after) {
    if (before != after)
      clauses.push_back(what + after + " instead of " +
                        (before.empty() ? "an unknown one" : before));
  };
  compare("Equipatch ", then.program, now.program);
  compare("libtorch ", then.torch, now.torch);
  compare("the processor is ", then.processor, now.processor);
  compare("the number of threads is ", std::to_string(then.threads),
          std::to_string(now.threads));
  return clauses;
}

}  // namespace equipatch
