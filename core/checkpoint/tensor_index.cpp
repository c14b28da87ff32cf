// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/tensor_index.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"

namespace equipatch {
namespace {

constexpr const char* kSingle = "model.safetensors";
constexpr std::string_view kSuffix = ".safetensors";

Error nothingToOpen(const std::filesystem::path& folder) {
  for (const char* pickled : {"pytorch_model.bin", "pytorch_model.bin.index.json"})
    if (isThere(folder / pickled))
      return unsupported(folder.string() + ": holds " + pickled +
                         ", but only safetensors files are read; convert the model, for "
                         "instance with save_pretrained(safe_serialization=True)");
  return badInput(folder.string() + ": expected " + kSingle + " or " + kTensorIndexFile +
                  ", found neither; fetch the model's weights into this folder");
}

/// Requires a plain file name: the index is untrusted and must not choose other files of
/// this machine.
void checkShardName(const std::string& name, const std::string& source) {
  const bool plain =
      name.size() > kSuffix.size() && name.ends_with(kSuffix) &&
      name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
  if (!plain)
    throw badInput(source + ": " + inQuotes(name) +
                   " should be the plain name of a .safetensors file in the same folder");
}

}  // namespace

TensorIndex TensorIndex::open(const std::filesystem::path& folder) {
  TensorIndex index;
  if (isThere(folder / kSingle)) {
    index.add(SafetensorsFile::open(folder / kSingle));
    return index;
  }
  const std::filesystem::path path = folder / kTensorIndexFile;
  if (!isThere(path)) throw nothingToOpen(folder);

  const Json document = readJsonFile(path, kMostIndexBytes);
  JsonObject object(document, path.string());
  const Json* weightMap = object.member("weight_map");
  if (!weightMap || !weightMap->is_object() || weightMap->empty())
    throw badInput(path.string() +
                   ": expected \"weight_map\" to say which file holds each tensor");
  std::map<std::string, std::size_t> shards;
  for (const auto& [tensor, shard] : weightMap->items()) {
    if (!shard.is_string())
      throw badInput(path.string() + ": the file of tensor " + inQuotes(tensor) +
                     " should be a string");
    const auto& name = shard.get_ref<const std::string&>();
    checkShardName(name, path.string());
    if (shards.try_emplace(name, index.m_files.size()).second) {
      if (!isThere(folder / name))
        throw badInput(path.string() + ": shard " + name +
                       " is missing from the folder; fetch it again");
      index.add(SafetensorsFile::open(folder / name));
    }
    const auto found = index.m_fileOf.find(tensor);
    if (found == index.m_fileOf.end() || found->second != shards[name])
      throw badInput(path.string() + ": tensor " + inQuotes(tensor) + " should be in " +
                     name + ", which does not hold it; fetch index and shards again");
  }
  return index;
}

void TensorIndex::add(SafetensorsFile file) {
  for (const auto& [name, tensor] : file.tensors()) {
    const auto [place, isNew] = m_fileOf.try_emplace(name, m_files.size());
    if (!isNew)
      throw badInput(file.path().string() + ": tensor " + inQuotes(name) +
                     " is also in " + m_files[place->second].path().filename().string() +
                     "; fetch the shards again");
  }
  m_files.push_back(std::move(file));
}

const TensorView* TensorIndex::find(const std::string& name) const {
  const auto place = m_fileOf.find(name);
  return place == m_fileOf.end() ? nullptr : &m_files[place->second].tensors().at(name);
}

std::vector<std::string> TensorIndex::names() const {
  std::vector<std::string> all;
  all.reserve(m_fileOf.size());
  for (const auto& [name, place] : m_fileOf) all.push_back(name);
  return all;
}

}  // namespace equipatch
