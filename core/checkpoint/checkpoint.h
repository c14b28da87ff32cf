#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/spec.h"
#include "core/checkpoint/tensor_index.h"

namespace equipatch {

/// A weight as the file keeps it: the stored tensor, and which part of it is meant.
struct StoredWeight {
  TensorView stored;
  std::vector<std::int64_t> shape;  ///< canonical
  TensorPart part;
  std::string name;        ///< as the files name it
  std::string moduleName;  ///< as transformers' class names it once it is loaded
};

/// Of config.json and its like; more is another kind of file.
constexpr std::uintmax_t kMostConfigBytes = 16'000'000;

/// A Hugging Face folder, opened and checked: every tensor the spec needs is present with
/// the right shape and a floating dtype. Nothing of the weights has been read yet: they
/// are mapped. Immutable; may be shared between threads.
class Checkpoint {
 public:
  /// @throws Error{BadInput} naming the file or tensor, what was expected and what was
  /// found;
  ///         Error{Unsupported} naming the architecture or the key that cannot be
  ///         computed.
  static Checkpoint open(const std::filesystem::path& folder);

  /// The model that a folder's config.json describes, with random weights in memory: what
  /// a computation costs can be measured without the files. The same numbers every time.
  /// @param dtype a floating one; absent: what config.json announces
  /// @throws Error{Resource} where the weights are larger than the free memory.
  static Checkpoint drawn(const std::filesystem::path& folder,
                          std::optional<DType> dtype);

  const ModelSpec& spec() const { return m_description.spec; }
  const std::filesystem::path& folder() const { return m_folder; }
  /// The files that hold the tensors, for whoever wants to recognise them again.
  const std::vector<SafetensorsFile>& files() const { return m_index.files(); }

  bool has(const std::string& canonicalName) const;
  /// @param canonicalName as `layerWeight` and ModelDescription list them. Asking for one
  ///        that the spec does not need is a programmer's error: std::out_of_range.
  const StoredWeight& weight(const std::string& canonicalName) const;

  /// All of them, by canonical name.
  const std::map<std::string, StoredWeight>& weights() const { return m_weights; }

  /// Keys of config.json and tensors of the files that nothing reads, for the load
  /// report.
  const std::vector<std::string>& unreadKeys() const { return m_description.unreadKeys; }
  const std::vector<std::string>& unreadTensors() const { return m_unreadTensors; }

  /// Tensors that are known to change nothing: buffers, parts that are not computed.
  const std::vector<std::string>& ignoredTensors() const { return m_ignoredTensors; }

  /// Numbers in the tensors that the model computes with; a tied head counts once.
  std::int64_t parameterCount() const;

 private:
  Checkpoint(std::filesystem::path folder, ModelDescription description);
  NameScheme chosenScheme() const;
  std::string storedName(const TensorBinding& binding) const;
  void bind(const TensorBinding& binding);
  void keep(const TensorBinding& binding, const TensorView& view);
  void collectUnread();

  std::filesystem::path m_folder;
  ModelDescription m_description;
  TensorIndex m_index;
  std::map<std::string, StoredWeight> m_weights;  ///< by canonical name
  NameScheme m_scheme;
  std::vector<std::string> m_unreadTensors;
  std::vector<std::string> m_ignoredTensors;
};

}  // namespace equipatch
