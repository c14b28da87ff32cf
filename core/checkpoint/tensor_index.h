#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/checkpoint/safetensors.h"

namespace equipatch {

/// Says which file holds which tensor where there are several.
constexpr const char* kTensorIndexFile = "model.safetensors.index.json";
constexpr std::uintmax_t kMostIndexBytes = 64'000'000;

/// One name space over all tensors of a checkpoint, whether in one file or in shards.
class TensorIndex {
 public:
  /// Opens model.safetensors, or the shards that model.safetensors.index.json lists.
  /// @throws Error{BadInput}: neither exists, a shard is missing, a tensor is not where
  /// the
  ///         index says, two shards hold the same name, an index path leaves the folder;
  ///         Error{Unsupported} when there are only files of another format.
  static TensorIndex open(const std::filesystem::path& folder);

  /// nullptr when there is no such tensor.
  const TensorView* find(const std::string& name) const;
  std::vector<std::string> names() const;  ///< sorted
  const std::vector<SafetensorsFile>& files() const { return m_files; }

 private:
  void add(SafetensorsFile file);

  std::vector<SafetensorsFile> m_files;
  std::map<std::string, std::size_t> m_fileOf;  ///< index into m_files, by tensor name
};

}  // namespace equipatch
