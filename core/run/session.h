// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/memory_estimate.h"
#include "core/record/run_record.h"
#include "core/text/tokenizer.h"

namespace equipatch {

enum class WeightOrigin {
  Files,
  Random,           ///< initialised in memory for the folder's config.json
  RandomWithTower,  ///< as Random, also for the vision tower
};

struct SessionRequest {
  std::filesystem::path folder;
  std::optional<DType> dtype;  ///< absent: as stored, or as config.json says (Random)
  std::string device = "cpu";  ///< or "cuda", "cuda:1"
  /// With a 16-bit dtype: everything but the weights is in float32.
  bool computeFloat32 = false;
  WeightOrigin weights = WeightOrigin::Files;
  /// Absent: resident if the model fits into free memory. Random weights, and weights on
  /// other devices than the CPU, are always resident.
  std::optional<WeightPlace> place = {};

  bool operator==(const SessionRequest&) const = default;
};

/// A loaded model: its weights, in one dtype on one device, and its tokenizer. Immutable;
/// runs on any thread may share it.
class Session {
 public:
  /// If the folder's tokenizer cannot be read, `open` succeeds and `tokenizer` throws.
  /// @throws Error naming file, tensor, dtype or device; Error{Cancelled} after a stop
  /// request.
  static std::shared_ptr<const Session> open(const SessionRequest& request,
                                             Progress& progress);
  virtual ~Session();

  const Checkpoint& checkpoint() const { return m_checkpoint; }
  const ModelSpec& spec() const { return m_checkpoint.spec(); }
  const std::filesystem::path& folder() const { return m_checkpoint.folder(); }
  std::string modelName() const;
  DType dtype() const { return m_dtype; }
  bool computesFloat32() const;  ///< with weights of a narrower dtype
  std::string device() const { return m_request.device; }
  WeightPlace weightPlace() const { return m_place; }
  /// Hashes of the weights' files, made when the session was opened.
  const std::vector<TensorFileHash>& tensorFiles() const { return m_tensorFiles; }
  std::int64_t parameterCount() const { return m_checkpoint.parameterCount(); }
  /// Parameters of the vision tower, which `parameterCount` does not include.
  std::int64_t visionParameterCount() const {
    return m_checkpoint.visionParameterCount();
  }
  /// Keys of config.json that nothing reads.
  std::vector<std::string> unreadKeys() const { return m_checkpoint.unreadKeys(); }
  std::vector<std::string> unreadTensors() const { return m_checkpoint.unreadTensors(); }

  bool hasTokenizer() const { return m_tokenizer != nullptr; }
  /// @throws Error{BadInput} when the folder has no tokenizer that can be read.
  const Tokenizer& tokenizer() const;

 protected:
  /// Opens headers and tokenizer; derived classes load the weights.
  Session(const SessionRequest& request, const Progress& progress);

 private:
  SessionRequest m_request;
  Checkpoint m_checkpoint;
  std::vector<TensorFileHash> m_tensorFiles;
  DType m_dtype;
  WeightPlace m_place;
  std::shared_ptr<const Tokenizer> m_tokenizer;
  std::string m_tokenizerProblem;  // why m_tokenizer is null
};

/// Sets the number of threads of every later computation of this program.
/// @param count at least 1
void useThreads(int count);

/// While an instance exists, computations use the given number of threads.
class ThreadsFor {
 public:
  explicit ThreadsFor(int threads);
  ~ThreadsFor();
  ThreadsFor(const ThreadsFor&) = delete;
  ThreadsFor& operator=(const ThreadsFor&) = delete;

 private:
  int m_before;
};

}  // namespace equipatch
