// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/session.h"

#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/base/number_format.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/model_cache.h"
#include "core/run/backend.h"

namespace equipatch {
namespace {

Checkpoint openCheckpoint(const SessionRequest& request) {
  if (request.dtype && !isFloating(*request.dtype))
    throw badInput("a model cannot compute in " + std::string(torchName(*request.dtype)) +
                   "; use float64, float32, bfloat16 or float16");
  return request.weights == WeightOrigin::Files
             ? Checkpoint::open(request.folder)
             : Checkpoint::withRandomWeights(request.folder, request.dtype);
}

}  // namespace

std::shared_ptr<const Session> Session::open(const SessionRequest& request,
                                             Progress& progress) {
  return backend().openSession(request, progress);
}

Session::Session(const SessionRequest& request, const Progress& progress)
    : m_request(request),
      m_checkpoint(openCheckpoint(request)),
      m_dtype(request.dtype.value_or(m_checkpoint.spec().storedDType)) {
  try {
    m_tokenizer = Tokenizer::open(request.folder, progress);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) throw;
    m_tokenizerProblem = error.what();  // ids still work; tokenizer() throws this
  }
}

Session::~Session() = default;

std::string Session::modelName() const {
  return equipatch::modelName(folder());
}

bool Session::computesFloat32() const {
  return m_request.computeFloat32 && byteSize(m_dtype) < byteSize(DType::F32);
}

const Tokenizer& Session::tokenizer() const {
  if (!hasTokenizer()) throw badInput(m_tokenizerProblem);
  return *m_tokenizer;
}

void useThreads(int count) {
  backend().useThreads(count);
}

namespace {

std::string sentenceOf(const MemoryShortage& shortage) {
  const MemoryEstimate& need = shortage.need;
  std::string text = shortage.model + " needs about " + bytesText(need.total()) + " in " +
                     std::string(torchName(need.dtype)) + ", but only " +
                     bytesText(shortage.free) + " of memory are free; ";
  if (shortage.fitting.empty())
    return text +
           "it fits in no dtype, so close other programs or choose a smaller model";
  std::string names;
  for (const MemoryEstimate& other : shortage.fitting)
    names += (names.empty() ? "" : " or ") + std::string(torchName(other.dtype)) + " (" +
             bytesText(other.total()) + ")";
  return text + names + " would fit";
}

}  // namespace

std::optional<MemoryShortage> shortageOf(const std::string& model,
                                         const std::vector<MemoryEstimate>& needs,
                                         DType dtype, std::int64_t free) {
  MemoryShortage shortage;
  shortage.model = model;
  shortage.free = free;
  bool isShort = false;
  for (const MemoryEstimate& need : needs) {
    const bool fits = need.total() <= free;
    if (need.dtype == dtype) {
      shortage.need = need;
      isShort = !fits;
    }
    if (fits) shortage.fitting.push_back(need);
  }
  if (!isShort) return std::nullopt;
  shortage.sentence = sentenceOf(shortage);
  return shortage;
}

std::optional<MemoryShortage> findShortage(const SessionRequest& request) {
  if (request.device != "cpu") return std::nullopt;
  const auto free = availableMemory();
  if (!free) return std::nullopt;
  const Checkpoint checkpoint = Checkpoint::open(request.folder);
  return shortageOf(modelName(request.folder), memoryEstimates(checkpoint),
                    request.dtype.value_or(checkpoint.spec().storedDType), *free);
}

}  // namespace equipatch
