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

/// Maps tensors to shards.
constexpr const char* kTensorIndexFile = "model.safetensors.index.json";
constexpr std::uintmax_t kMostIndexBytes = 64'000'000;

/// All tensors of a checkpoint by name, in one file or in shards.
class TensorIndex {
 public:
  /// Opens model.safetensors, or the shards that model.safetensors.index.json lists.
  /// @throws Error{BadInput} when files are missing, damaged or contradictory;
  ///         Error{Unsupported} when the folder holds weights in another format; the
  ///         errors of SafetensorsFile::open.
  static TensorIndex open(const std::filesystem::path& folder);

  /// nullptr: there is no such tensor
  const TensorView* find(const std::string& name) const;
  std::vector<std::string> names() const;  ///< sorted
  const std::vector<SafetensorsFile>& files() const { return m_files; }

 private:
  void add(SafetensorsFile file);

  std::vector<SafetensorsFile> m_files;
  std::map<std::string, std::size_t> m_fileOf;  ///< index into m_files, by tensor name
};

/// A weight as stored: the file's tensor and the part of this tensor that is the weight.
struct StoredWeight {
  TensorView stored;
  std::vector<std::int64_t> shape;  ///< canonical
  TensorPart part;
  std::string name;  ///< of the stored tensor
  /// The parameter's name in transformers' model class; for vision weights, as `name`.
  std::string moduleName;
  /// Only for a matrix in MXFP4, whose blocks are in `stored`.
  std::optional<TensorView> scales = {};
  std::string scalesName = {};  ///< of the stored scales; empty: there are none

  std::int64_t elements() const;  ///< the product of `shape`
  /// True if a run in this dtype can use the weight in the file, without a copy.
  bool isStoredAs(DType dtype) const;
};

/// The largest config.json or generation_config.json that is read.
constexpr std::uintmax_t kMostConfigBytes = 16'000'000;

/// A Hugging Face folder, opened and checked: every tensor that the text model needs is
/// present and has the expected shape and a floating dtype (in MXFP4: U8). Files are
/// mapped but their weights not yet read. Threads may share a checkpoint for const calls.
class Checkpoint {
 public:
  /// @throws Error{BadInput} for missing, damaged or contradictory files and tensors;
  ///         Error{Unsupported} for what cannot be computed or read.
  static Checkpoint open(const std::filesystem::path& folder);

  /// The model that a folder's config.json describes, with random weights in memory, the
  /// same at every call. Without a vision tower; `addRandomTower` adds one.
  /// @param dtype a floating one; absent: what config.json states
  /// @throws Error{Resource} when the weights exceed the available memory; the errors of
  ///         `open` that concern the folder and its config.json.
  static Checkpoint withRandomWeights(const std::filesystem::path& folder,
                                      std::optional<DType> dtype);

  /// Adds random weights for the vision tower of the model's class. Pixels follow the
  /// default PixelRule.
  /// @throws Error{BadInput} when the class has no vision tower or the tower cannot be
  ///         computed; Error{Resource} when the weights exceed the available memory.
  void addRandomTower(std::optional<DType> dtype);

  const ModelSpec& spec() const { return m_description.spec; }
  const std::filesystem::path& folder() const { return m_folder; }
  /// Hash of config.json as it was opened; the file may have changed since.
  const std::string& configSha256() const { return m_configSha256; }
  /// Empty for random weights.
  const std::vector<SafetensorsFile>& files() const { return m_index.files(); }

  bool has(const std::string& canonicalName) const;
  /// @param canonicalName see `layerWeight`
  /// @throws std::out_of_range
  const StoredWeight& weight(const std::string& canonicalName) const;

  /// By canonical name.
  const std::map<std::string, StoredWeight>& weights() const { return m_weights; }

  /// A weight of the vision tower or its projector: "vision.layers.3.W_q".
  /// @throws std::out_of_range
  const StoredWeight& visionWeight(const std::string& name) const {
    return m_vision.at(name);
  }
  /// Empty if the spec's `vision` is absent or has a problem.
  const std::map<std::string, StoredWeight>& visionWeights() const { return m_vision; }

  /// Keys of config.json that nothing reads.
  const std::vector<std::string>& unreadKeys() const { return m_description.unreadKeys; }
  /// Stored tensors that nothing reads, without `ignoredTensors`.
  const std::vector<std::string>& unreadTensors() const { return m_unreadTensors; }

  /// Stored tensors that the family lists as not needed: buffers, a tied head, parts of
  /// the model that Equipatch does not compute.
  const std::vector<std::string>& ignoredTensors() const { return m_ignoredTensors; }

  /// Of the text model; a tied head counts once.
  std::int64_t parameterCount() const;
  /// Of the vision tower and its projector.
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
