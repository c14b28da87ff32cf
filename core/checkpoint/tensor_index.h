// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/checkpoint/safetensors.h"

namespace equipatch {

/// Index file that maps tensors to shards.
constexpr const char* kTensorIndexFile = "model.safetensors.index.json";
constexpr std::uintmax_t kMostIndexBytes = 64'000'000;

/// All tensors of a checkpoint by name, in one file or in shards.
class TensorIndex {
 public:
  /// Opens model.safetensors, or the shards that model.safetensors.index.json lists.
  /// @throws Error{BadInput} when neither exists, a shard is missing, a tensor is not in
  ///         the shard that the index names, two shards hold the same name, or the index
  ///         names a path outside the folder; Error{Unsupported} when the folder holds
  ///         weights in other formats only.
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

}  // namespace equipatch
