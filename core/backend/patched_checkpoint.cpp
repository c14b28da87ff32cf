// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/base/write_failure.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/safetensors.h"
#include "core/model/torch_types.h"
#include "core/model/weights.h"
#include "core/record/export/output_file.h"

namespace equipatch {
namespace {

/// Larger files are not copied; the files of a tokenizer are smaller.
constexpr std::uintmax_t kMaxCompanionBytes = 256 << 20;
/// Elements of a tensor that are converted at a time: 16 MiB in float32.
constexpr std::int64_t kTileElements = 1 << 22;

using Values = std::vector<double>;

Tensor vectorOf(const Values& values, at::ScalarType type) {
  return at::tensor(values, at::kDouble).to(type);
}

/// A change of one stored tensor. `apply` needs the tensor in float32 or float64.
struct Change {
  TensorPart part;
  const Values* u = nullptr;  // with w: u wᵀ is added to the part
  const Values* w = nullptr;
  const Values* vector = nullptr;  // replaces the part
  double offset = 0.0;             // the file holds vector − offset

  std::vector<std::int64_t> shape() const {
    if (vector) return {std::ssize(*vector)};
    return {std::ssize(*u), std::ssize(*w)};
  }

  void apply(Tensor& stored) const {
    const Tensor target = partOf(stored, part);
    if (vector) {
      target.copy_((vectorOf(*vector, at::kDouble) - offset).view(target.sizes()));
      return;
    }
    const Tensor rows = vectorOf(*u, stored.scalar_type()).view({target.size(0), -1});
    const Tensor columns = vectorOf(*w, stored.scalar_type());
    for (std::int64_t group = 0; group < target.size(0); ++group)
      target.select(0, group).addr_(rows[group], columns);
  }
};

using Changes = std::map<std::string, std::vector<Change>>;  // by stored name

class ChangeList {
 public:
  ChangeList(const Checkpoint& checkpoint, const PatchFactors& factors)
      : m_checkpoint(checkpoint) {
    for (std::size_t layer = 0; layer < factors.size(); ++layer)
      add(static_cast<std::int64_t>(layer), factors[layer]);
  }

  const Changes& changes() const { return m_changes; }

 private:
  void add(std::int64_t layer, const LayerFactors& factors) {
    for (const MatrixFactors& matrix : factors.matrices)
      put(layer, matrix.weight, {.part = {}, .u = &matrix.u, .w = &matrix.w});
    const double offset = m_checkpoint.spec().norm.storedMinusOne ? 1.0 : 0.0;
    if (!factors.scale.empty())
      put(layer, "mlp_post_norm",
          {.part = {}, .vector = &factors.scale, .offset = offset});
    if (!factors.denseScale.empty())
      put(layer, "dense_post_norm",
          {.part = {}, .vector = &factors.denseScale, .offset = offset});
    if (!factors.bias.empty())
      put(layer,
          m_checkpoint.spec().closesWithNormBias() ? "mlp_post_norm.bias" : "b_down",
          {.part = {}, .vector = &factors.bias});
  }

  /// @throws Error{BadInput} for a change that does not fit the model, because a run file
  /// may hold any patch; Error{Unsupported} for a weight in MXFP4
  void put(std::int64_t layer, const std::string& weight, Change change) {
    const std::string name = layerWeight(layer, weight);
    if (!m_checkpoint.has(name) || m_checkpoint.weight(name).shape != change.shape())
      throw badInput("the patch changes " + inQuotes(name) + " as " +
                     shapeText(change.shape()) +
                     ", which the model does not have; the run file is damaged or "
                     "another model's");
    const StoredWeight& stored = m_checkpoint.weight(name);
    if (stored.scales)
      throw unsupported("the checkpoint holds " + inQuotes(stored.name) +
                        " in MXFP4, which cannot hold a patch; write the patched "
                        "weights from a bfloat16 checkpoint of the model");
    change.part = stored.part;
    m_changes[stored.name].push_back(change);
  }

  const Checkpoint& m_checkpoint;
  Changes m_changes;
};

void writeText(const std::filesystem::path& path, const std::string& text) {
  OutputFile file(path);
  file << text;
  file.finish();
}

void writeConfig(const std::filesystem::path& from, const std::filesystem::path& to,
                 DType dtype) {
  Json config = readJsonFile(from, kMostConfigBytes);
  const auto setDType = [&](Json& object) {
    bool found = false;
    for (const char* key : {"torch_dtype", "dtype"})
      if (object.contains(key)) {
        object[key] = torchName(dtype);
        found = true;
      }
    return found;
  };
  if (!setDType(config)) config["torch_dtype"] = torchName(dtype);
  if (config.contains("text_config") && config["text_config"].is_object())
    setDType(config["text_config"]);
  writeText(to, config.dump(2) + "\n");
}

/// The copy is writable even if the original is read-only.
void copyFile(const std::filesystem::path& from, const std::filesystem::path& to) {
  using std::filesystem::perms;
  std::error_code problem;
  std::filesystem::copy_file(from, to, problem);
  if (!problem)
    std::filesystem::permissions(to, perms::owner_read | perms::owner_write,
                                 std::filesystem::perm_options::add, problem);
  if (problem)
    throw writeFailed(to, from.string() + " cannot be copied here", problem.message(),
                      problem.value());
}

/// A name for the copy of `folder`'s README.md. No file in `folder` has this name: if
/// `savePatched` wrote the folder, it may hold README.original.md, which is copied too.
std::string nameForCard(const std::filesystem::path& folder) {
  std::string name = "README.original.md";
  for (int number = 2; std::filesystem::exists(folder / name); ++number)
    name = "README.original." + std::to_string(number) + ".md";
  return name;
}

/// Copies files without weights: tokenizer, templates, generation settings.
void copyCompanions(const std::filesystem::path& from, const std::filesystem::path& to) {
  static const std::set<std::string> weights{
      ".safetensors", ".bin",     ".pt",   ".pth", ".gguf",
      ".h5",          ".msgpack", ".onnx", ".ot",  ".tflite"};
  for (const auto& entry : std::filesystem::directory_iterator(from)) {
    const std::string name = entry.path().filename().string();
    const bool isIndex = name.ends_with(".index.json");
    if (!entry.is_regular_file() || isIndex || name == "config.json" ||
        weights.count(entry.path().extension().string()) > 0 ||
        entry.file_size() > kMaxCompanionBytes)
      continue;
    copyFile(entry.path(), to / (name == "README.md" ? nameForCard(from) : name));
  }
}

void append(SafetensorsWriter& writer, const std::string& name, const Tensor& tensor) {
  const Tensor host = tensor.contiguous();
  writer.append(name,
                std::span(static_cast<const std::byte*>(host.data_ptr()), host.nbytes()));
}

/// Converts and writes tile by tile, to save memory.
void appendConverted(SafetensorsWriter& writer, const std::string& name,
                     const TensorView& view, DType dtype) {
  const Tensor flat = storedTensor(view).reshape(-1);
  for (std::int64_t first = 0; first < flat.numel(); first += kTileElements) {
    const std::int64_t count = std::min(kTileElements, flat.numel() - first);
    append(writer, name, flat.narrow(0, first, count).to(toTorch(dtype)));
    view.owner->release(view.bytes);
  }
}

/// Learned position embeddings with the `count` rows from `first` on copied to the
/// beginning: in the written checkpoint, the patch's tokens begin at position 0.
Tensor movedPositions(const Tensor& stored, std::int64_t first, std::int64_t count) {
  Tensor moved = stored.clone();
  moved.narrow(0, 0, count).copy_(stored.narrow(0, first, count));
  return moved;
}

class TensorWriter {
 public:
  explicit TensorWriter(const PatchedCheckpoint& patched)
      : m_patched(patched), m_list(patched.original, patched.factors) {
    if (!patched.original.has("positions")) return;
    const StoredWeight& positions = patched.original.weight("positions");
    if (patched.firstPosition < 0 ||
        patched.firstPosition > positions.shape.front() - patched.tokens)
      throw badInput("the patch needs " + std::to_string(patched.tokens) +
                     " positions from " + std::to_string(patched.firstPosition) +
                     " on, which the model does not have; the run file is damaged or "
                     "another model's");
    m_positions = positions.name;
  }

  void write(const std::filesystem::path& path, Progress& progress) {
    const std::vector<TensorPlan> plan = makePlan();
    SafetensorsWriter writer(path, plan, {{"format", "pt"}});
    double written = 0.0;
    for (const TensorPlan& tensor : plan) {
      progress.throwIfStopped();
      progress.report(written++ / static_cast<double>(plan.size()), "Writing weights");
      const TensorView& view = *m_views[tensor.name];
      if (const auto changed = changedTensor(tensor, view))
        append(writer, tensor.name, *changed);
      else
        appendConverted(writer, tensor.name, view, tensor.dtype);
      view.owner->throwIfLost();
      view.owner->release(view.bytes);
    }
    writer.finish();
  }

 private:
  std::vector<TensorPlan> makePlan() {
    std::vector<TensorPlan> plan;
    for (const SafetensorsFile& file : m_patched.original.files())
      for (const auto& [name, view] : file.tensors()) {
        const DType dtype = isFloating(view.dtype) ? m_patched.dtype : view.dtype;
        plan.push_back({name, dtype, view.shape});
        m_views[name] = &view;
      }
    return plan;
  }

  std::optional<Tensor> changedTensor(const TensorPlan& tensor,
                                      const TensorView& view) const {
    const auto changes = m_list.changes().find(tensor.name);
    const bool positions = tensor.name == m_positions;
    if (changes == m_list.changes().end() && !positions) return std::nullopt;
    // Round the weights first, then add the change in float32 or float64, as a run in
    // this dtype does.
    const auto dtype = toTorch(tensor.dtype);
    Tensor whole = at::empty(view.shape, dtype == at::kDouble ? at::kDouble : at::kFloat);
    whole.copy_(storedTensor(view).to(dtype));
    if (positions)
      whole = movedPositions(whole, m_patched.firstPosition, m_patched.tokens);
    else
      for (const Change& change : changes->second) change.apply(whole);
    return whole.to(dtype);
  }

  const PatchedCheckpoint& m_patched;
  ChangeList m_list;
  std::string m_positions;  // stored name of learned position embeddings, or empty
  std::map<std::string, const TensorView*> m_views;
};

}  // namespace

void savePatched(const PatchedCheckpoint& patched, const std::filesystem::path& folder,
                 Progress& progress) {
  const c10::InferenceMode inference;
  const std::filesystem::path from = patched.original.folder();
  TensorWriter tensors(patched);
  makeCheckpointFolder(folder);
  tensors.write(folder / "model.safetensors", progress);
  writeConfig(from / "config.json", folder / "config.json", patched.dtype);
  copyCompanions(from, folder);
  writeText(folder / "README.md", patched.note);
}

}  // namespace equipatch
