// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/session.h"

#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/model_cache.h"
#include "core/run/backend.h"
#include "core/run/memory_shortage.h"
#include "core/run/run_origin.h"

namespace equipatch {
namespace {

Checkpoint openCheckpoint(const SessionRequest& request) {
  if (request.dtype && !isFloating(*request.dtype))
    throw badInput("a model cannot compute in " + std::string(torchName(*request.dtype)) +
                   "; use float64, float32, bfloat16 or float16");
  if (request.weights == WeightOrigin::Files) return Checkpoint::open(request.folder);
  Checkpoint checkpoint = Checkpoint::withRandomWeights(request.folder, request.dtype);
  if (request.weights == WeightOrigin::RandomWithTower)
    checkpoint.addRandomTower(request.dtype);
  return checkpoint;
}

/// The place that the request names; without one, resident where the free memory has
/// room. Random weights and weights of other devices are always resident.
WeightPlace placeOf(const SessionRequest& request, const Checkpoint& checkpoint,
                    DType dtype) {
  const bool areLoadedWhole =
      request.device != "cpu" || request.weights != WeightOrigin::Files;
  if (areLoadedWhole) return WeightPlace::Resident;
  if (request.place) return *request.place;
  return sessionEstimate(checkpoint, dtype, request.computeFloat32)
      .placeWithin(availableMemory());
}

}  // namespace

std::shared_ptr<const Session> Session::open(const SessionRequest& request,
                                             Progress& progress) {
  return backend().openSession(request, progress);
}

Session::Session(const SessionRequest& request, const Progress& progress)
    : m_request(request),
      m_checkpoint(openCheckpoint(request)),
      m_tensorFiles(tensorFileHashes(m_checkpoint)),
      m_dtype(request.dtype.value_or(m_checkpoint.spec().storedDType)),
      m_place(placeOf(request, m_checkpoint, m_dtype)) {
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

ThreadsFor::ThreadsFor(int threads) : m_before(backend().threads()) {
  useThreads(threads);
}

ThreadsFor::~ThreadsFor() {
  useThreads(m_before);
}

}  // namespace equipatch
