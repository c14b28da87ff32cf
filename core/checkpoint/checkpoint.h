// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// Index file that maps tensors to shards.
constexpr const char* kTensorIndexFile = "model.safetensors.index.json";
constexpr std::uintmax_t kMostIndexBytes = 64'000'000;

/// All tensors of a checkpoint by name, in one file or in shards.
class TensorIndex {
 public:
  /// Opens model.safetensors, or the shards that model.safetensors.index.json lists.
  /// @throws Error{BadInput} when neither exists, a file is missing or damaged, a tensor
  ///         is not in the shard that the index names, two shards hold the same name, or
  ///         the index names anything but plain .safetensors files; Error{Unsupported}
  ///         when the folder holds pytorch_model.bin, its index or GGUF files instead;
  ///         the errors of SafetensorsFile::open.
  static TensorIndex open(const std::filesystem::path& folder);

  /// @returns nullptr when there is no such tensor.
  const TensorView* find(const std::string& name) const;
  std::vector<std::string> names() const;  ///< sorted
  const std::vector<SafetensorsFile>& files() const { return m_files; }

 private:
  void add(SafetensorsFile file);

  std::vector<SafetensorsFile> m_files;
  std::map<std::string, std::size_t> m_fileOf;  ///< index into m_files, by tensor name
};

/// A weight as stored: the tensor in the file and the part of it that holds the weight.
struct StoredWeight {
  TensorView stored;
  std::vector<std::int64_t> shape;  ///< canonical
  TensorPart part;
  std::string name;  ///< as the files name it
  /// The parameter's name in transformers' model class; for vision weights, as `name`.
  std::string moduleName;
  /// For a matrix in MXFP4: its scales; `stored` holds its blocks.
  std::optional<TensorView> scales = {};
  std::string scalesName = {};  ///< as the files name the scales; empty: there are none

  std::int64_t elements() const;  ///< the product of `shape`
  /// True if a run in this dtype can use the weight in the file, without a copy.
  bool isStoredAs(DType dtype) const;
};

/// The largest config.json or generation_config.json that is read.
constexpr std::uintmax_t kMostConfigBytes = 16'000'000;

/// A Hugging Face folder, opened and checked: every tensor that the text model needs is
/// present and has the expected shape and a floating dtype; matrices in MXFP4 are bytes
/// (U8). Weights in files are mapped but not yet read. Threads may share an opened
/// checkpoint as long as none calls `addRandomTower`.
class Checkpoint {
 public:
  /// @throws Error{BadInput} naming the file or tensor, what was expected and what was
  ///         found; Error{Unsupported} naming the architecture, key, dtype or file format
  ///         that cannot be computed or read.
  static Checkpoint open(const std::filesystem::path& folder);

  /// The model that a folder's config.json describes, with random weights in memory, so
  /// that its computation can be timed without weight files. The values are the same
  /// every time. There is no vision tower until `addRandomTower` has made one.
  /// @param dtype a floating one; absent: what config.json states
  /// @throws Error{Resource} when the weights exceed the available memory; the errors of
  ///         `open` that concern the folder and its config.json.
  static Checkpoint withRandomWeights(const std::filesystem::path& folder,
                                      std::optional<DType> dtype);

  /// Adds random weights for the vision tower of the model's class, suited to pixels from
  /// −1 to 1.
  /// @throws Error{BadInput} when the class has no vision tower or the tower cannot be
  ///         computed; Error{Resource} when the weights exceed the available memory.
  void addRandomTower(std::optional<DType> dtype);

  const ModelSpec& spec() const { return m_description.spec; }
  const std::filesystem::path& folder() const { return m_folder; }
  /// Hash of config.json as it was opened; the file may have changed since.
  const std::string& configSha256() const { return m_configSha256; }
  /// The files that TensorIndex::open opened; empty for random weights.
  const std::vector<SafetensorsFile>& files() const { return m_index.files(); }

  bool has(const std::string& canonicalName) const;
  /// @param canonicalName see `layerWeight`
  /// @throws std::out_of_range when the spec does not need a weight of this name.
  const StoredWeight& weight(const std::string& canonicalName) const;

  /// All weights by canonical name.
  const std::map<std::string, StoredWeight>& weights() const { return m_weights; }

  /// A weight of the vision tower or its projector: "vision.layers.3.W_q".
  /// @throws std::out_of_range for another name, or where the spec's `vision` is absent
  ///         or has a problem.
  const StoredWeight& visionWeight(const std::string& name) const {
    return m_vision.at(name);
  }
  /// All weights of the vision tower and its projector; empty if images cannot be read.
  const std::map<std::string, StoredWeight>& visionWeights() const { return m_vision; }

  /// Keys of config.json and stored tensors that nothing reads, for the load report.
  const std::vector<std::string>& unreadKeys() const { return m_description.unreadKeys; }
  const std::vector<std::string>& unreadTensors() const { return m_unreadTensors; }

  /// Tensors that do not affect the computation, such as buffers.
  const std::vector<std::string>& ignoredTensors() const { return m_ignoredTensors; }

  /// Number of parameters of the text model; a tied head counts once.
  std::int64_t parameterCount() const;
  /// Number of parameters of the vision tower and its projector.
  std::int64_t visionParameterCount() const;

 private:
  Checkpoint(std::filesystem::path folder, ModelDescription description);
  NameScheme chosenScheme() const;
  std::string storedName(const TensorBinding& binding) const;
  void bind(const TensorBinding& binding);
  void bindPacked(const TensorBinding& binding);
  const TensorView& requiredTensor(const std::string& name,
                                   const std::vector<std::int64_t>& shape,
                                   const std::string& hint) const;
  const TensorView& viewOf(const TensorBinding& binding) const;
  void bindVision();
  void keep(const TensorBinding& binding, const TensorView& view);
  void collectUnread();

  std::filesystem::path m_folder;
  std::string m_configSha256;
  ModelDescription m_description;
  TensorIndex m_index;
  std::map<std::string, StoredWeight> m_weights;  ///< by canonical name
  std::map<std::string, StoredWeight> m_vision;   ///< likewise
  NameScheme m_scheme;
  std::vector<std::string> m_unreadTensors, m_ignoredTensors;
};

}  // namespace equipatch
