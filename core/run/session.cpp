#include "core/run/session.h"

#include <map>

#include "core/base/error.h"
#include "core/base/reading_ahead.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/model_name.h"
#include "core/model/transformer.h"

namespace equipatch {

struct Session::Parts {
  Checkpoint checkpoint;
  /// Until the first step has read what loading did not. May be none.
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

/// Where the weights are used as they lie in their files. What is converted is read once,
/// and its pages go again.
std::unique_ptr<ReadingAhead> readAhead(const Checkpoint& checkpoint,
                                        const Arithmetic& arithmetic) {
  if (!arithmetic.device().is_cpu()) return nullptr;
  std::map<std::filesystem::path, std::shared_ptr<const FileMap>> byPath;
  for (const auto& [name, weight] : checkpoint.weights())
    if (const auto& file = weight.stored.owner;
        toTorch(weight.stored.dtype) == arithmetic.storage())
      byPath.emplace(file->path(), file);
  std::vector<std::shared_ptr<const FileMap>> files;
  for (const auto& [path, file] : byPath) files.push_back(file);
  return std::make_unique<ReadingAhead>(std::move(files));
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
