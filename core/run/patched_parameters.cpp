#include "core/run/patched_parameters.h"

#include <algorithm>

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/layer_spec.h"
#include "core/patch/planner.h"

namespace equipatch {
namespace {

constexpr MatrixRole kRoles[] = {MatrixRole::Router, MatrixRole::SharedRouter,
                                 MatrixRole::Gate,   MatrixRole::Up,
                                 MatrixRole::In,     MatrixRole::Down};

/// Canonical names, within a layer, of what the plan says is patched. A layer has those
/// of them that the checkpoint has.
std::vector<std::string> patchedWeights(const ModelSpec& spec) {
  const PatchPlan plan = planPatch(spec);
  std::vector<std::string> weights;
  const auto addMatrices = [&](std::int64_t expert) {
    for (const MatrixRole role : kRoles)
      if (std::ranges::count(plan.matrices, matrixName({role, expert})) > 0)
        weights.push_back(weightName({role, expert}));
  };
  addMatrices(MatrixId::kDense);
  const std::int64_t experts = spec.moe ? spec.moe->experts : 0;
  for (std::int64_t expert = 0; expert < experts; ++expert) addMatrices(expert);
  addMatrices(MatrixId::kShared);
  if (plan.closesWithScale) weights.emplace_back("mlp_post_norm");
  if (plan.closesWithBias)
    weights.emplace_back(spec.closesWithNormBias() ? "mlp_post_norm.bias" : "b_down");
  return weights;
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
      const bool scale = weight == "mlp_post_norm";
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

}  // namespace equipatch
