#include "core/run/run_origin.h"

#include "core/base/file_map.h"
#include "core/base/hash.h"
#include "core/base/machine.h"
#include "core/checkpoint/checkpoint.h"
#include "core/patch/planner.h"
#include "core/record/provenance.h"
#include "core/run/backend.h"
#include "core/run/patched_parameters.h"
#include "core/run/session.h"

namespace equipatch {
Provenance provenanceOf(const Session& session) {
  return provenanceOf(session.checkpoint());
}

Provenance provenanceOf(const Checkpoint& checkpoint) {
  Provenance provenance{
      .program = EQUIPATCH_VERSION,
      .torch = backend().torchVersion(),
      .processor = processorName(),
      .threads = backend().threads(),
      .startTime = utcNow(),
      .configSha256 = sha256(FileMap::open(checkpoint.folder() / "config.json")->bytes()),
      .tensorFiles = {}};
  for (const SafetensorsFile& file : checkpoint.files())
    provenance.tensorFiles.push_back(
        {file.path().filename().string(), sha256(file.header())});
  return provenance;
}

RunHeader headerOf(const Session& session, RunRequest request) {
  const PatchPlan plan = planPatch(session.spec());
  return {.modelName = session.modelName(),
          .modelFolder = std::filesystem::absolute(session.folder()).string(),
          .architecture = session.spec().architecture,
          .dtype = session.dtype(),
          .computesFloat32 = session.computesFloat32(),
          .device = session.device(),
          .layers = session.spec().layerCount(),
          .width = session.spec().width,
          .vocabulary = session.spec().vocabulary,
          .closesWithScale = plan.closesWithScale,
          .closesWithBias = plan.closesWithBias,
          .patchedMatrices = plan.matrices,
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
