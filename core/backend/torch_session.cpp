// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <algorithm>
#include <map>

#include "core/backend/image_rows.h"
#include "core/base/error.h"
#include "core/model/transformer.h"
#include "core/model/weights.h"

namespace equipatch {
namespace {

/// Reads ahead the weights that a run uses in place. Other weights are copied once, while
/// the model loads. With WeightPlace::Resident, a run uses only MXFP4 matrices and
/// per-layer embeddings in place.
std::unique_ptr<Readahead> readAhead(const Checkpoint& checkpoint,
                                     const Arithmetic& arithmetic, WeightPlace place) {
  std::vector<FilePart> parts;
  for (const auto& [name, weight] : checkpoint.weights()) {
    // A run reads only its own tokens' rows of the per-layer embeddings.
    if (name == "per_layer_embed" || weight.stored.owner->path().empty() ||
        !isUsedInPlace(weight, arithmetic) ||
        (place != WeightPlace::Mapped && !weight.scales))
      continue;
    parts.push_back({weight.stored.owner, weight.stored.bytes});
    if (weight.scales) parts.push_back({weight.scales->owner, weight.scales->bytes});
  }
  return std::make_unique<Readahead>(std::move(parts));
}

/// Collects each site's activations, one tensor for each chunk of rows.
class SiteTrace final : public BlockHooks {
 public:
  void hookResidPost(const HookedBlock& block, BlockSites& sites) override {
    const std::string layer = std::string(".").append(std::to_string(block.layer.value));
    m_parts["resid_pre" + layer].push_back(sites.resid_pre);
    m_parts["attn_out" + layer].push_back(sites.attn_out);
    m_parts["resid_mid" + layer].push_back(sites.resid_mid);
    m_parts["mlp_out" + layer].push_back(sites.mlp_out);
  }
  void hookOutput(const HookedBlock& block, const Tensor& output) override {
    const std::string layer = std::string(".").append(std::to_string(block.layer.value));
    m_parts["resid_post" + layer].push_back(output);
  }

  const std::map<std::string, std::vector<Tensor>>& parts() const { return m_parts; }

 private:
  std::map<std::string, std::vector<Tensor>> m_parts;
};

NamedTensor named(const std::string& name, const Tensor& tensor) {
  const Tensor host = tensor.to(at::kCPU, at::kFloat).contiguous();
  const float* values = host.data_ptr<float>();
  return {name, host.sizes().vec(), std::vector<float>(values, values + host.numel())};
}

/// Collects the last layer's output, one tensor for each chunk of rows.
class OutputTrace final : public BlockHooks {
 public:
  explicit OutputTrace(std::int64_t lastLayer) : m_lastLayer(lastLayer) {}
  void hookOutput(const HookedBlock& block, const Tensor& output) override {
    if (block.layer.value == m_lastLayer) m_rows.push_back(output);
  }
  const std::vector<Tensor>& parts() const { return m_rows; }

 private:
  std::int64_t m_lastLayer;
  std::vector<Tensor> m_rows;
};

/// Collects each site's activations, one tensor for each image.
class ImageTrace final : public TowerHooks {
 public:
  void hookSite(const std::string& name, const Tensor& x) override {
    m_parts[name].push_back(x);
  }
  const std::map<std::string, std::vector<Tensor>>& parts() const { return m_parts; }

 private:
  std::map<std::string, std::vector<Tensor>> m_parts;
};

}  // namespace

TorchSession::TorchSession(const SessionRequest& request, Progress& progress)
    : Session(request, progress) {
  const c10::InferenceMode inference;
  const Arithmetic arithmetic(
      dtype(), deviceFromName(request.device),
      request.computeFloat32 ? Compute::Float32 : Compute::Native);
  m_ahead = readAhead(checkpoint(), arithmetic, weightPlace());
  m_transformer = Transformer::load(checkpoint(), arithmetic, progress, weightPlace());
}

Tensor TorchSession::seenRows(const std::string& sha256) const {
  const auto seen = m_seen.load();
  if (!seen) return {};
  const auto found = seen->find(sha256);
  return found == seen->end() ? Tensor() : found->second;
}

void TorchSession::keepRows(const std::string& sha256, const Tensor& rows) const {
  constexpr std::size_t kMostPictures = 64;
  const auto seen = m_seen.load();
  SeenRows more = seen && seen->size() < kMostPictures ? *seen : SeenRows();
  more[sha256] = rows;
  m_seen.store(std::make_shared<const SeenRows>(std::move(more)));
}

const Transformer& transformerOf(const Session& session) {
  return static_cast<const TorchSession&>(session).transformer();
}

void checkVocabulary(const ModelSpec& spec, const std::vector<Token>& tokens,
                     const std::vector<PromptImage>& images) {
  const auto isImage = [&](std::int64_t position) {
    return std::ranges::any_of(images, [&](const PromptImage& image) {
      return image.tokens.first <= position && position <= image.tokens.last;
    });
  };
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const TokenId id = tokens[at].id;
    if (id.value >= 0 && id.value < spec.vocabulary) continue;
    if (isImage(static_cast<std::int64_t>(at))) continue;
    throw badInput("token id " + std::to_string(id.value) +
                   " is outside the model's vocabulary of " +
                   std::to_string(spec.vocabulary) + " tokens");
  }
}

void checkTextLength(const ModelSpec& spec, std::size_t tokens) {
  if (static_cast<std::int64_t>(tokens) > spec.maxPositions)
    throw badInput(std::to_string(tokens) + " tokens do not fit the model's " +
                   std::to_string(spec.maxPositions) + " positions");
}

std::vector<TokenId> idsOf(const std::vector<Token>& tokens) {
  std::vector<TokenId> ids;
  for (const Token& token : tokens) ids.push_back(token.id);
  return ids;
}

namespace {

/// Reports progress, because with a large vocabulary the head takes as long as many
/// layers.
NamedTensor headLogits(const Transformer& transformer, const std::vector<Tensor>& chunks,
                       Progress& progress) {
  std::int64_t rows = 0;
  for (const Tensor& chunk : chunks) rows += chunk.size(0);
  NamedTensor logits{"logits", {rows, transformer.spec().vocabulary}, {}};
  logits.values.reserve(static_cast<std::size_t>(rows * transformer.spec().vocabulary));
  double done = 0.0;
  for (const Tensor& chunk : chunks) {
    progress.throwIfStopped();
    progress.report(done++ / static_cast<double>(chunks.size()), "Computing the logits");
    const NamedTensor part =
        named("logits", transformer.logits(chunk, transformer.arithmetic()));
    logits.values.insert(logits.values.end(), part.values.begin(), part.values.end());
  }
  return logits;
}

}  // namespace

std::vector<NamedTensor> computeLogits(const Session& session,
                                       std::span<const TokenId> ids, SiteCapture capture,
                                       const std::vector<PromptImage>& images,
                                       Progress& progress) {
  const c10::InferenceMode inference;
  const Transformer& transformer = transformerOf(session);
  if (ids.empty()) throw badInput("there are no token ids to compute; give at least one");
  checkTextLength(transformer.spec(), ids.size());
  checkImages(session, ids.size(), images);
  SiteTrace sites;
  ImageTrace seen;
  OutputTrace output(transformer.spec().layerCount() - 1);
  std::vector<BlockHooks*> members{&output};
  if (capture == SiteCapture::AllSites) members.push_back(&sites);
  HookChain hooks(members);
  KvCache cache = transformer.makeCache(std::ssize(ids));
  constexpr double kLayersEnd = 0.9;
  PromptProgress ofPrompt(progress, images, kLayersEnd);
  PartialProgress ofHead(progress, kLayersEnd, 1.0);
  const GivenRows given = capture == SiteCapture::AllSites
                              ? tracedImageRows(session, images, seen, ofPrompt.images)
                              : imageRows(session, images, ofPrompt.images);
  transformer.prefill(ids, cache, hooks, transformer.arithmetic(), ofPrompt.rest, given);

  std::vector<NamedTensor> tensors{headLogits(transformer, output.parts(), ofHead)};
  for (const auto& [name, parts] : sites.parts())
    tensors.push_back(named(name, at::cat(parts, 0)));
  for (const auto& [name, parts] : seen.parts())
    tensors.push_back(named(name, at::stack(parts, 0)));
  return tensors;
}

}  // namespace equipatch
