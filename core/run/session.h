#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/progress.h"
#include "core/checkpoint/spec.h"
#include "core/text/tokenizer.h"

namespace equipatch {

class Checkpoint;
class Transformer;

enum class WeightOrigin {
  Files,
  Random,  ///< numbers drawn in memory, for what the folder's config.json describes
};

struct SessionRequest {
  std::filesystem::path folder;
  std::optional<DType> dtype;   ///< absent: as stored
  std::string device = "cpu";   ///< or "cuda", "cuda:1"
  bool computeFloat32 = false;  ///< weights in the dtype, everything else in float32
  WeightOrigin weights = WeightOrigin::Files;
};

/// A loaded model: weights in the run's dtype on its device, and its tokenizer.
/// Immutable; runs on any thread may share it.
class Session {
 public:
  /// Reads everything; long for large models.
  /// @throws Error naming file or tensor; Error{Cancelled} when `progress` asks to stop.
  static std::shared_ptr<const Session> open(const SessionRequest& request,
                                             Progress& progress);
  ~Session();

  const ModelSpec& spec() const;
  const std::filesystem::path& folder() const;
  std::string modelName() const;
  DType dtype() const;
  bool computesFloat32() const;  ///< although the dtype is another
  std::string device() const;
  std::int64_t parameterCount() const;
  std::vector<std::string> unreadKeys() const;     ///< of config.json
  std::vector<std::string> unreadTensors() const;  ///< of the tensor files

  bool hasTokenizer() const;
  /// @throws Error{BadInput} when the folder has none or it cannot be read.
  const Tokenizer& tokenizer() const;

  const Transformer& transformer() const;  ///< for core/run only
  const Checkpoint& checkpoint() const;    ///< for core/run only

 private:
  struct Parts;
  explicit Session(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> m_parts;
};

/// How many threads every computation of this program uses from now on; at least 1.
void useThreads(int count);

}  // namespace equipatch
