// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/bench/timed_work.h"

#include <fstream>
#include <map>
#include <vector>

#include "core/backend/torch_backend.h"
#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/random.h"
#include "core/checkpoint/safetensors.h"
#include "core/kernel/threads.h"

namespace equipatch {
namespace {

void prefill(const Transformer& transformer, std::span<const TokenId> ids,
             KvCache& cache) {
  BlockHooks none;
  SilentProgress silent;
  transformer.prefill(ids, cache, none, transformer.arithmetic(), silent);
}

/// Collects the memory ranges of matrices.
class Matrices {
 public:
  void add(const Linear& linear) {
    if (linear.packed.defined()) {
      // Every second row of a tensor that gate and up share counts as half of it.
      const auto bytes = static_cast<std::size_t>(linear.packed.blocks.numel());
      m_all.push_back(
          {static_cast<const std::byte*>(linear.packed.blocks.data_ptr()), bytes});
    }
    if (!linear.weight.defined()) return;
    m_all.push_back({static_cast<const std::byte*>(linear.weight.data_ptr()),
                     static_cast<std::size_t>(linear.weight.nbytes())});
  }
  void add(const FeedForwardWeights& mlp) {
    for (const Linear* linear : {&mlp.W_gate, &mlp.W_up, &mlp.W_in, &mlp.W_down})
      add(*linear);
  }
  void add(const LayerWeights& layer, std::int64_t activeExperts) {
    for (const Linear* linear : {&layer.W_q, &layer.W_k, &layer.W_v, &layer.W_o,
                                 &layer.W_router, &layer.W_shared_router})
      add(*linear);
    add(layer.mlp);
    add(layer.shared);
    for (std::int64_t expert = 0; expert < activeExperts; ++expert)
      if (expert < std::ssize(layer.experts))
        add(layer.experts[static_cast<std::size_t>(expert)]);
  }
  std::vector<std::span<const std::byte>> take() { return std::move(m_all); }

 private:
  std::vector<std::span<const std::byte>> m_all;
};

/// Writes every stored tensor once, although several weights may be parts of it.
void writeWeights(const Checkpoint& checkpoint, const std::filesystem::path& path) {
  std::map<std::string, const TensorView*> tensors;
  for (const auto& [name, weight] : checkpoint.weights())
    tensors.emplace(weight.name, &weight.stored);
  std::vector<TensorPlan> plan;
  for (const auto& [name, view] : tensors)
    plan.push_back({name, view->dtype, view->shape});
  SafetensorsWriter writer(path, plan);
  for (const auto& [name, view] : tensors) writer.append(name, view->bytes);
  writer.finish();
}

}  // namespace

std::vector<TokenId> randomTokens(std::int64_t count, std::int64_t vocabulary) {
  Random random(5);
  std::vector<TokenId> tokens;
  for (std::int64_t token = 0; token < count; ++token)
    tokens.emplace_back(
        static_cast<std::int64_t>(random.below(static_cast<std::size_t>(vocabulary))));
  return tokens;
}

PlainDecoder::PlainDecoder(const Transformer& transformer,
                           const std::vector<TokenId>& prompt, std::int64_t steps)
    : m_transformer(transformer),
      m_cache(transformer.makeCache(std::ssize(prompt) - 1 + steps)),
      m_token(prompt.back()) {
  prefill(transformer, std::span(prompt).first(prompt.size() - 1), m_cache);
}

TokenId PlainDecoder::step() {
  const NoLibraryThreads alone;
  BlockHooks none;
  const Arithmetic& arithmetic = m_transformer.arithmetic();
  const RowBatch batch{
      .contextRows = 1, .firstPosition = m_cache.length(), .cache = &m_cache};
  const Tensor out = m_transformer.forward(
      m_transformer.embedRows(m_token, m_cache.length(), 1), batch, none, arithmetic);
  m_token = TokenId(m_transformer.logits(out, arithmetic).argmax().item<std::int64_t>());
  return m_token;
}

std::unique_ptr<Comparison> preparedComparison(
    const std::shared_ptr<const Session>& session, const std::vector<TokenId>& prompt,
    std::int64_t steps, Application application) {
  RunRequest request;
  for (const TokenId id : prompt) request.prompt.push_back({.id = id});
  request.steps = steps;
  request.patch.application = application;
  request.ignoreEndOfSequence = true;
  auto comparison = std::make_unique<TorchComparison>(session, std::move(request));
  SilentProgress silent;
  comparison->prefill(silent);
  return comparison;
}

StepAtPosition::StepAtPosition(const Transformer& transformer, std::int64_t position)
    : m_transformer(transformer),
      m_position(position),
      m_cache(transformer.makeCache(position + 1)) {}

PassResults StepAtPosition::run() {
  const NoLibraryThreads alone;
  m_cache.setLength(m_position);
  return runPasses(m_transformer, TokenId(0), m_cache, {.keepPatch = false});
}

PromptPrefill::PromptPrefill(const Transformer& transformer, std::vector<TokenId> prompt)
    : m_transformer(transformer),
      m_prompt(std::move(prompt)),
      m_cache(transformer.makeCache(std::ssize(m_prompt))) {}

Tensor PromptPrefill::run() {
  m_cache.setLength(0);
  BlockHooks none;
  SilentProgress silent;
  return m_transformer.prefill(m_prompt, m_cache, none, m_transformer.arithmetic(),
                               silent);
}

LargeProduct::LargeProduct(const Arithmetic& arithmetic) {
  constexpr std::int64_t kSize = 2048;
  const auto options = at::TensorOptions(arithmetic.wide());
  m_a = at::full({kSize, kSize}, 0.5, options);
  m_b = at::full({kSize, kSize}, 0.25, options);
  m_product = at::empty({kSize, kSize}, options);
}

void LargeProduct::run() {
  at::mm_out(m_product, m_a, m_b);
}

double LargeProduct::operations() const {
  return 2.0 * static_cast<double>(m_a.size(0)) * static_cast<double>(m_a.size(1)) *
         static_cast<double>(m_b.size(1));
}

std::vector<std::span<const std::byte>> stepWeights(const Transformer& transformer) {
  const ModelSpec& spec = transformer.spec();
  Matrices matrices;
  for (const LayerWeights& layer : transformer.weights().layers)
    matrices.add(layer, spec.moe ? spec.moe->active : 0);
  matrices.add(transformer.weights().head);
  return matrices.take();
}

std::int64_t bytesOf(const std::vector<std::span<const std::byte>>& weights) {
  std::int64_t bytes = 0;
  for (const auto& weight : weights) bytes += std::ssize(weight);
  return bytes;
}

ColdStart::ColdStart(const Session& session, const std::filesystem::path& place)
    : m_folder(place), m_request{.folder = m_folder.path(), .dtype = session.dtype()} {
  std::filesystem::copy_file(session.folder() / "config.json",
                             m_folder.path() / "config.json");
  writeWeights(session.checkpoint(), weights());
}

void ColdStart::cool() const {
  dropCachedPages(weights());
}

void ColdStart::readFile() const {
  std::vector<char> piece(std::size_t{8} << 20);
  std::ifstream file(weights(), std::ios::binary);
  while (file.read(piece.data(), std::ssize(piece)) || file.gcount() > 0) continue;
  if (!file.eof()) throw badInput(weights().string() + ": cannot be read to its end");
}

void ColdStart::firstStep() const {
  SilentProgress silent;
  const auto session = Session::open(m_request, silent);
  PlainDecoder(transformerOf(*session), {TokenId(0)}, 1).step();
}

}  // namespace equipatch
