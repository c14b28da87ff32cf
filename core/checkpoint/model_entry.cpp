// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/model_entry.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/family/family.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

// Lower than the limit for loading a model, because a list reads the headers of many
// files. Real headers have at most a few megabytes.
constexpr std::uint64_t kMostListedHeaderBytes = 32'000'000;
constexpr int kMostFiles = 10'000;
constexpr const char* kWeights = "model.safetensors";

/// Adds up the sizes of the folder's files and notes broken links.
/// @returns true if a file has the extension .tiktoken
bool measure(const fs::path& folder, ModelEntry& entry) {
  std::error_code problem;
  if (isFile(folder)) {  // such as a GGUF file
    const std::uintmax_t bytes = fs::file_size(folder, problem);
    if (!problem) entry.bytes = bytes;
    return false;
  }
  bool hasRanks = false;
  int seen = 0;
  for (fs::directory_iterator at(folder, problem);
       !problem && at != fs::directory_iterator() && seen < kMostFiles;
       at.increment(problem), ++seen) {
    std::error_code ignored;
    if (isFile(at->path())) {
      const std::uintmax_t bytes = fs::file_size(at->path(), ignored);
      if (!ignored) entry.bytes += bytes;
      hasRanks = hasRanks || at->path().extension() == ".tiktoken";
    } else if (at->is_symlink(ignored) && !fs::exists(at->path(), ignored)) {
      entry.missing.push_back(replaceInvalidUtf8(at->path().filename().string()));
    }
  }
  return hasRanks;
}

std::string architectureIn(const fs::path& folder) {
  try {
    return statedArchitecture(readJsonFile(folder / "config.json", kMostConfigBytes));
  } catch (const Error&) {
    return {};  // Checkpoint::open reports the problem
  }
}

/// The name model.safetensors if the file exists, otherwise the names of the index's
/// shards, even of missing ones.
std::set<std::string> weightFiles(const fs::path& folder) {
  if (isFile(folder / kWeights)) return {kWeights};
  std::set<std::string> names;
  try {
    if (!isFile(folder / kTensorIndexFile)) return names;
    const Json document = readJsonFile(folder / kTensorIndexFile, kMostIndexBytes);
    JsonObject object(document, kTensorIndexFile);
    const Json* map = object.member("weight_map");
    if (!map || !map->is_object()) return names;
    for (const Json& shard : *map)
      if (shard.is_string() && isShardName(shard.get_ref<const std::string&>()))
        names.insert(shard.get<std::string>());
  } catch (const Error&) {
    names.clear();
  }
  return names;
}

void noteMissing(const fs::path& folder, const std::set<std::string>& files,
                 ModelEntry& entry) {
  for (const std::string& name : files)
    if (!isFile(folder / name)) entry.missing.push_back(name);
  std::sort(entry.missing.begin(), entry.missing.end());
  entry.missing.erase(std::unique(entry.missing.begin(), entry.missing.end()),
                      entry.missing.end());
}

void refuseLongHeader(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  unsigned char bytes[8] = {};
  if (!stream.read(reinterpret_cast<char*>(bytes), sizeof bytes)) return;
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | bytes[i];
  if (length > kMostListedHeaderBytes)
    throw badInput(file.string() + ": the header claims " + std::to_string(length) +
                   " bytes; a list of models reads at most " +
                   std::to_string(kMostListedHeaderBytes) +
                   "; is this a safetensors file?");
}

/// Sets `parameters` and `dtype` from the weight files that exist.
void count(const fs::path& folder, const std::set<std::string>& files,
           ModelEntry& entry) {
  std::map<DType, std::int64_t> counts;
  for (const std::string& name : files) {
    if (!isFile(folder / name)) continue;
    refuseLongHeader(folder / name);
    const auto file = SafetensorsFile::open(folder / name);
    for (const auto& [tensor, view] : file.tensors())
      counts[view.dtype] += view.elements();
  }
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != counts.end()) entry.dtype = most->first;
  for (const auto& [dtype, number] : counts)
    if (isFloating(dtype)) entry.parameters += number;
}

/// True if the folder has a tokenizer whose files have fixed names (not .tiktoken).
bool hasNamedTokenizer(const fs::path& folder) {
  for (const char* name : {"tokenizer.json", "tokenizer.model"})
    if (isFile(folder / name)) return true;
  return isFile(folder / "vocab.json") && isFile(folder / "merges.txt");
}

void openAll(const fs::path& folder, const std::set<std::string>& files,
             ModelEntry& entry) {
  count(folder, files, entry);
  const Checkpoint checkpoint = Checkpoint::open(folder);
  entry.architecture = checkpoint.spec().architecture;
  entry.parameters = checkpoint.parameterCount() + checkpoint.visionParameterCount();
  entry.needs = memoryEstimates(checkpoint);
}

}  // namespace

ModelEntry describeModelFolder(const fs::path& folder) {
  ModelEntry entry;
  entry.folder = folder;
  entry.name = folder.string();
  try {
    entry.architecture = architectureIn(folder);
    const bool hasRanks = measure(folder, entry);
    const auto files = weightFiles(folder);
    noteMissing(folder, files, entry);
    entry.hasTokenizer = hasRanks || hasNamedTokenizer(folder);
    openAll(folder, files, entry);
  } catch (const Error& error) {
    entry.problem = error.what();
    entry.supported = error.kind() != ErrorKind::Unsupported;
  } catch (const std::exception& error) {
    entry.problem = error.what();
  }
  return entry;
}

}  // namespace equipatch
