#include "core/run/session.h"

#include "core/base/error.h"
#include "core/base/reading_ahead.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/model_name.h"
#include "core/model/stored_tensor.h"
#include "core/model/transformer.h"

namespace equipatch {

struct Session::Parts {
  Checkpoint checkpoint;
  /// Outlives loading, which does not read everything; ends by itself.
  std::unique_ptr<ReadingAhead> ahead;
  std::unique_ptr<Transformer> transformer;
  std::shared_ptr<const Tokenizer> tokenizer;
  std::string tokenizerProblem;  // why there is none
  std::string device;
};

namespace {

void requireFloating(DType dtype) {
  if (!isFloating(dtype))
    throw badInput("a model cannot compute in " + std::string(torchName(dtype)) +
                   "; use float64, float32, bfloat16 or float16");
}

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

std::shared_ptr<const Session> Session::open(const SessionRequest& request,
                                             Progress& progress) {
  const c10::InferenceMode inference;
  progress.report(0.0, "Checking the files");
  if (request.dtype) requireFloating(*request.dtype);
  Checkpoint checkpoint = request.weights == WeightOrigin::Files
                              ? Checkpoint::open(request.folder)
                              : Checkpoint::drawn(request.folder, request.dtype);
  const DType dtype = request.dtype.value_or(checkpoint.spec().storedDType);
  const Arithmetic arithmetic(
      dtype, deviceFromName(request.device),
      request.computeFloat32 ? Compute::Float32 : Compute::Native);
  auto ahead = readAhead(checkpoint, arithmetic);
  auto transformer = Transformer::load(checkpoint, arithmetic, progress);
  auto parts = std::make_unique<Parts>(Parts{.checkpoint = std::move(checkpoint),
                                             .ahead = std::move(ahead),
                                             .transformer = std::move(transformer),
                                             .tokenizer = nullptr,
                                             .tokenizerProblem = {},
                                             .device = request.device});
  try {
    parts->tokenizer = Tokenizer::open(request.folder);
  } catch (const Error& error) {
    parts->tokenizerProblem = error.what();  // ids still work; text asks and is told
  }
  return std::shared_ptr<const Session>(new Session(std::move(parts)));
}

Session::Session(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}
Session::~Session() = default;

const ModelSpec& Session::spec() const {
  return m_parts->checkpoint.spec();
}

const std::filesystem::path& Session::folder() const {
  return m_parts->checkpoint.folder();
}

std::string Session::modelName() const {
  return equipatch::modelName(folder());
}

DType Session::dtype() const {
  return m_parts->transformer->arithmetic().dtype();
}

bool Session::computesFloat32() const {
  const Arithmetic& arithmetic = m_parts->transformer->arithmetic();
  return arithmetic.storage() != at::kFloat && arithmetic.held() == at::kFloat;
}

std::string Session::device() const {
  return m_parts->device;
}

std::int64_t Session::parameterCount() const {
  return m_parts->checkpoint.parameterCount();
}

std::vector<std::string> Session::unreadKeys() const {
  return m_parts->checkpoint.unreadKeys();
}

std::vector<std::string> Session::unreadTensors() const {
  return m_parts->checkpoint.unreadTensors();
}

bool Session::hasTokenizer() const {
  return m_parts->tokenizer != nullptr;
}

const Tokenizer& Session::tokenizer() const {
  if (!hasTokenizer()) throw badInput(m_parts->tokenizerProblem);
  return *m_parts->tokenizer;
}

const Transformer& Session::transformer() const {
  return *m_parts->transformer;
}

const Checkpoint& Session::checkpoint() const {
  return m_parts->checkpoint;
}

void useThreads(int count) {
  setComputeThreads(count);
}

}  // namespace equipatch
