#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/spec.h"
#include "core/checkpoint/tensor_index.h"
#include "core/checkpoint/tensor_view.h"

namespace equipatch {

/// A Hugging Face folder, opened and checked: every tensor the spec needs is present with the
/// right shape and a floating dtype. Nothing of the weights has been read yet: they are
/// mapped. Immutable; may be shared between threads.
class Checkpoint {
 public:
  /// @throws Error{BadInput} naming the file or tensor, what was expected and what was found;
  ///         Error{Unsupported} naming the architecture or the key that cannot be computed.
  static Checkpoint open(const std::filesystem::path& folder);

  const ModelSpec& spec() const { return m_description.spec; }
  const std::filesystem::path& folder() const { return m_folder; }

  bool has(const std::string& canonicalName) const;
  /// @param canonicalName as `layerWeight` and ModelDescription list them.
  TensorView tensor(const std::string& canonicalName) const;

  /// Keys of config.json and tensors of the files that nothing reads, for the load report.
  const std::vector<std::string>& unreadKeys() const { return m_description.unreadKeys; }
  const std::vector<std::string>& unreadTensors() const { return m_unreadTensors; }

  std::int64_t parameterCount() const;

 private:
  Checkpoint(std::filesystem::path folder, ModelDescription description, TensorIndex index);
  void check();

  std::filesystem::path m_folder;
  ModelDescription m_description;
  TensorIndex m_index;
  std::vector<std::string> m_unreadTensors;
};

}  // namespace equipatch
