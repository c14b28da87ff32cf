// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/checkpoint/family/family.h"
#include "core/checkpoint/model_folders.h"
#include "core/checkpoint/random_weights.h"

namespace equipatch {
namespace {

constexpr const char* kGguf =
    "GGUF files are not read yet; fetch the same model in Hugging Face layout, with "
    "config.json and safetensors files";

/// @throws Error{Unsupported} if the folder holds a GGUF file.
void refuseGgufIn(const std::filesystem::path& folder) {
  std::error_code problem;
  for (std::filesystem::directory_iterator at(folder, problem), end;
       !problem && at != end; at.increment(problem))
    if (isGgufName(at->path()) && isFile(at->path()))
      throw unsupported(folder.string() + ": holds " +
                        inQuotes(at->path().filename().string()) + ", but " + kGguf);
}

ModelDescription describeFolder(const std::filesystem::path& folder) {
  if (isGgufName(folder) && isFile(folder))
    throw unsupported(folder.string() + ": " + kGguf);
  if (!isFolder(folder))
    throw badInput(folder.string() + ": expected the folder of a model, found " +
                   (isThere(folder) ? "a file" : "nothing of that name") +
                   "; give the folder that holds config.json");
  const std::filesystem::path path = folder / "config.json";
  if (!isThere(path)) {
    refuseGgufIn(folder);
    throw badInput(folder.string() +
                   ": config.json is missing; expected a model's folder as Hugging Face "
                   "lays it out, with config.json and safetensors files");
  }
  return describeModel(readJsonFile(path, kMostConfigBytes), path.string());
}

std::string nameIn(const NameScheme& scheme, const TensorBinding& binding) {
  switch (binding.scope) {
    case TensorScope::Head:
      return scheme.head + binding.checkpointName;
    case TensorScope::Vision:
      return scheme.vision + binding.checkpointName;
    case TensorScope::Body:
      break;
  }
  return scheme.body + binding.checkpointName;
}

/// generation_config.json overrides the end tokens of config.json.
void applyGenerationConfig(const std::filesystem::path& folder, ModelSpec& spec) {
  const std::filesystem::path path = folder / "generation_config.json";
  if (!isThere(path)) return;
  const Json document = readJsonFile(path, kMostConfigBytes);
  JsonObject config(document, path.string());
  const auto ids = config.integers("eos_token_id", 0, spec.vocabulary - 1);
  if (ids.empty()) return;
  spec.endOfSequence.clear();
  for (const std::int64_t id : ids) spec.endOfSequence.emplace_back(id);
}

}  // namespace

Checkpoint Checkpoint::open(const std::filesystem::path& folder) {
  ModelDescription description = describeFolder(folder);
  applyGenerationConfig(folder, description.spec);
  Checkpoint checkpoint(folder, std::move(description));
  checkpoint.m_index = TensorIndex::open(folder);
  checkpoint.m_scheme = checkpoint.chosenScheme();
  for (const TensorBinding& binding : checkpoint.m_description.tensors)
    checkpoint.bind(binding);
  if (checkpoint.spec().vision) checkpoint.bindVision();
  checkpoint.collectUnread();
  return checkpoint;
}

Checkpoint Checkpoint::withRandomWeights(const std::filesystem::path& folder,
                                         std::optional<DType> dtype) {
  Checkpoint checkpoint(folder, describeFolder(folder));
  checkpoint.m_scheme = checkpoint.m_description.schemes.front();
  auto& vision = checkpoint.m_description.spec.vision;
  if (vision && vision->problem.empty())
    vision->problem = "random weights have no vision tower; open a model's own weights";
  const ModelDescription& description = checkpoint.m_description;
  const auto tensors = randomWeights(description.tensors, description.spec,
                                     dtype.value_or(description.spec.storedDType));
  for (const TensorBinding& binding : description.tensors) {
    checkpoint.keep(binding, tensors.at(binding.checkpointName));
    if (!binding.scalesName.empty())
      checkpoint.m_weights.at(binding.name).scales = tensors.at(binding.scalesName);
  }
  return checkpoint;
}

void Checkpoint::addRandomTower(std::optional<DType> dtype) {
  ModelSpec& spec = m_description.spec;
  if (!spec.vision)
    throw badInput(m_folder.string() +
                   ": this model has no vision tower; choose a multimodal one");
  if (m_description.visionTensors.empty()) throw badInput(spec.vision->problem);
  const auto tensors =
      randomWeights(m_description.visionTensors, spec, dtype.value_or(spec.storedDType));
  for (const TensorBinding& binding : m_description.visionTensors)
    m_vision[binding.name] = {tensors.at(binding.checkpointName), binding.shape,
                              binding.part, storedName(binding), storedName(binding)};
  spec.vision->problem.clear();
}

Checkpoint::Checkpoint(std::filesystem::path folder, ModelDescription description)
    : m_folder(std::move(folder)),
      m_configSha256(sha256(readFile(m_folder / "config.json", kMostConfigBytes))),
      m_description(std::move(description)) {}

/// The first scheme under which the embedding is present, otherwise the family's first
/// scheme, so that errors give a missing tensor its usual name.
NameScheme Checkpoint::chosenScheme() const {
  const TensorBinding& embedding = m_description.tensors.front();
  for (const NameScheme& scheme : m_description.schemes)
    if (m_index.find(scheme.body + embedding.checkpointName)) return scheme;
  return m_description.schemes.front();
}

std::string Checkpoint::storedName(const TensorBinding& binding) const {
  return nameIn(m_scheme, binding);
}

const TensorView& Checkpoint::requiredTensor(const std::string& name,
                                             const std::vector<std::int64_t>& shape,
                                             const std::string& hint) const {
  const std::string what = m_folder.string() + ": tensor \"" + name + "\"";
  const TensorView* view = m_index.find(name);
  if (!view)
    throw badInput(what + " is missing, expected shape " + shapeText(shape) + hint);
  if (view->shape != shape)
    throw badInput(what + " has shape " + shapeText(view->shape) + ", expected " +
                   shapeText(shape) + "; the weights do not belong to this config.json");
  return *view;
}

/// The stored tensor of a binding.
/// @throws Error unless its shape is the expected one and its dtype is floating
const TensorView& Checkpoint::viewOf(const TensorBinding& binding) const {
  const std::string name = storedName(binding);
  const TensorView& view = requiredTensor(
      name, storedShape(binding),
      binding.name == "head"
          ? "; config.json does not say that the head is tied to the embedding"
          : "; the weights are incomplete or config.json is another model's");
  if (!isFloating(view.dtype))
    throw unsupported(m_folder.string() + ": tensor \"" + name + "\" is stored as " +
                      std::string(safetensorsName(view.dtype)) +
                      ", expected F64, F32, BF16 or F16; quantised weights other than "
                      "MXFP4 are not read");
  return view;
}

void Checkpoint::bind(const TensorBinding& binding) {
  if (!binding.scalesName.empty()) return bindPacked(binding);
  keep(binding, viewOf(binding));
}

/// Binds the blocks and the scales of a matrix in MXFP4.
void Checkpoint::bindPacked(const TensorBinding& binding) {
  const std::vector<std::int64_t> scales = storedShape(binding);
  std::vector<std::int64_t> blocks = scales;
  blocks.push_back(kMxfp4BlockBytes);
  const auto bytes = [&](const std::string& name,
                         const std::vector<std::int64_t>& shape) {
    const TensorView& view =
        requiredTensor(name, shape, "; config.json says that the weights are in MXFP4");
    if (view.dtype != DType::U8)
      throw badInput(m_folder.string() + ": tensor \"" + name + "\" is stored as " +
                     std::string(safetensorsName(view.dtype)) +
                     ", expected the bytes (U8) of MXFP4");
    return view;
  };
  keep(binding, bytes(storedName(binding), blocks));
  m_weights.at(binding.name).scales = bytes(m_scheme.body + binding.scalesName, scales);
}

/// Stores an error of the tower in `VisionSpec::problem`, because text needs no tower.
void Checkpoint::bindVision() {
  VisionSpec& vision = *m_description.spec.vision;
  if (!vision.problem.empty()) return;
  std::map<std::string, StoredWeight> weights;
  try {
    vision.pixels = readPixelRule(m_folder, vision);
    for (const TensorBinding& binding : m_description.visionTensors)
      weights[binding.name] = {viewOf(binding), binding.shape, binding.part,
                               storedName(binding), storedName(binding)};
    m_vision = std::move(weights);
  } catch (const Error& error) {
    vision.problem = std::string("no image can be read: ") + error.what();
  }
}

void Checkpoint::keep(const TensorBinding& binding, const TensorView& view) {
  StoredWeight& weight = m_weights[binding.name];
  weight = {view, binding.shape, binding.part, storedName(binding),
            nameIn(m_description.schemes.front(), binding)};
  if (!binding.scalesName.empty()) weight.scalesName = m_scheme.body + binding.scalesName;
}

namespace {

/// Looks up the end of a name once for each different length of the suffixes, not for
/// each suffix: a family may list suffixes for each layer, and a hostile file may hold a
/// million names.
class Suffixes {
 public:
  explicit Suffixes(const std::vector<std::string>& all) : m_all(all.begin(), all.end()) {
    for (const std::string& suffix : all) m_lengths.insert(suffix.size());
  }
  bool matchEndOf(std::string_view name) const {
    return std::ranges::any_of(m_lengths, [&](std::size_t length) {
      return length <= name.size() && m_all.contains(name.substr(name.size() - length));
    });
  }

 private:
  std::set<std::string, std::less<>> m_all;
  std::set<std::size_t> m_lengths;
};

}  // namespace

void Checkpoint::collectUnread() {
  std::set<std::string> bound;
  for (const TensorBinding& binding : m_description.tensors) {
    bound.insert(storedName(binding));
    if (!binding.scalesName.empty()) bound.insert(m_scheme.body + binding.scalesName);
  }
  for (const auto& [name, weight] : m_vision) bound.insert(weight.name);
  const Suffixes suffixes(m_description.ignoredSuffixes);
  const auto ignored = [&](const std::string& name) {
    const auto starts = [&](const std::string& start) { return name.starts_with(start); };
    return suffixes.matchEndOf(name) ||
           std::ranges::any_of(m_description.ignoredPrefixes, starts);
  };
  for (const std::string& name : m_index.names())
    if (!bound.contains(name))
      (ignored(name) ? m_ignoredTensors : m_unreadTensors).push_back(name);
}

std::int64_t StoredWeight::elements() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1},
                         std::multiplies<>());
}

bool StoredWeight::isStoredAs(DType dtype) const {
  const bool rowMajor = !part.transposed && (part.groups == 1 || part.parts == part.span);
  return rowMajor && stored.dtype == dtype && stored.aligned();
}

bool Checkpoint::has(const std::string& canonicalName) const {
  return m_weights.contains(canonicalName);
}

const StoredWeight& Checkpoint::weight(const std::string& canonicalName) const {
  return m_weights.at(canonicalName);
}

namespace {

std::int64_t elementsOf(const std::map<std::string, StoredWeight>& weights) {
  std::int64_t count = 0;
  for (const auto& [name, weight] : weights) count += weight.elements();
  return count;
}

}  // namespace

std::int64_t Checkpoint::parameterCount() const {
  return elementsOf(m_weights);
}

std::int64_t Checkpoint::visionParameterCount() const {
  return elementsOf(m_vision);
}

namespace {

constexpr const char* kSingle = "model.safetensors";

Error nothingToOpen(const std::filesystem::path& folder) {
  for (const char* pickled : {"pytorch_model.bin", "pytorch_model.bin.index.json"})
    if (isThere(folder / pickled))
      return unsupported(folder.string() + ": holds " + pickled +
                         ", but only safetensors files are read; convert the model, for "
                         "instance with save_pretrained(safe_serialization=True)");
  refuseGgufIn(folder);
  return badInput(folder.string() + ": expected " + kSingle + " or " + kTensorIndexFile +
                  ", found neither; fetch the model's weights into this folder");
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
    if (!isShardName(name))
      throw badInput(
          path.string() + ": " + inQuotes(name) +
          " should be the plain name of a .safetensors file in the same folder");
    if (shards.try_emplace(name, index.m_files.size()).second) {
      if (!isThere(folder / name))
        throw badInput(path.string() + ": shard " + inQuotes(name) +
                       " is missing from the folder; fetch it again");
      index.add(SafetensorsFile::open(folder / name));
    }
    const auto found = index.m_fileOf.find(tensor);
    if (found == index.m_fileOf.end() || found->second != shards[name])
      throw badInput(path.string() + ": tensor " + inQuotes(tensor) + " should be in " +
                     inQuotes(name) +
                     ", which does not hold it; fetch index and shards again");
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
