#include "core/backend/torch_session.h"

#include "core/model/stored_tensor.h"

namespace equipatch {
namespace {

/// Of the weights that are used as they lie in their files. What is converted is read
/// once, and its pages go again.
std::unique_ptr<ReadingAhead> readAhead(const Checkpoint& checkpoint,
                                        const Arithmetic& arithmetic) {
  std::vector<FilePart> parts;
  for (const auto& [name, weight] : checkpoint.weights())
    if (!weight.stored.owner->path().empty() && isUsedInPlace(weight, arithmetic))
      parts.push_back({weight.stored.owner, weight.stored.bytes});
  return std::make_unique<ReadingAhead>(std::move(parts));
}

}  // namespace

TorchSession::TorchSession(const SessionRequest& request, Progress& progress)
    : Session(request) {
  const c10::InferenceMode inference;
  const Arithmetic arithmetic(
      dtype(), deviceFromName(request.device),
      request.computeFloat32 ? Compute::Float32 : Compute::Native);
  m_ahead = readAhead(checkpoint(), arithmetic);
  m_transformer = Transformer::load(checkpoint(), arithmetic, progress);
}

const Transformer& transformerOf(const Session& session) {
  return static_cast<const TorchSession&>(session).transformer();
}

}  // namespace equipatch
