// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/bench/timed_work.h"

#include <algorithm>
#include <fstream>
#include <vector>

#include "core/backend/torch_backend.h"
#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/machine.h"
#include "core/base/random.h"
#include "core/kernel/threads.h"
#include "core/model/resident_weights.h"

namespace equipatch {
namespace {

void prefill(const Transformer& transformer, std::span<const TokenId> ids,
             KvCache& cache) {
  BlockHooks none;
  SilentProgress silent;
  transformer.prefill(ids, cache, none, transformer.arithmetic(), silent);
}

/// Gathers the byte ranges of matrices; owns no memory.
class Matrices {
 public:
  void add(const Linear& linear) {
    if (linear.packed.defined()) {
      // Rows of gate and up may alternate in one tensor. The range then covers rows of
      // both matrices, but is as long as this matrix alone.
      for (const Tensor& part : {linear.packed.blocks, linear.packed.scales})
        m_all.push_back({static_cast<const std::byte*>(part.data_ptr()),
                         static_cast<std::size_t>(part.numel())});
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
    for (const Linear* linear :
         {&layer.W_q, &layer.W_k, &layer.W_v, &layer.W_o, &layer.W_attn_gate,
          &layer.delta.W_in, &layer.delta.W_z, &layer.delta.W_b, &layer.delta.W_a,
          &layer.W_per_layer_gate, &layer.W_per_layer_out, &layer.W_router,
          &layer.W_shared_router})
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

void readWhole(const std::filesystem::path& path) {
  std::vector<char> piece(std::size_t{8} << 20);
  std::ifstream file(path, std::ios::binary);
  while (file.read(piece.data(), std::ssize(piece)) || file.gcount() > 0) continue;
  if (!file.eof()) throw badInput(path.string() + ": cannot be read to its end");
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
  matrices.add(transformer.weights().W_per_layer);
  matrices.add(transformer.weights().head);
  return matrices.take();
}

std::int64_t bytesOf(const std::vector<std::span<const std::byte>>& weights) {
  std::int64_t bytes = 0;
  for (const auto& weight : weights) bytes += std::ssize(weight);
  return bytes;
}

RepeatedLoad::RepeatedLoad(const Session& session)
    : m_session(session),
      m_request{.folder = session.folder(),
                .dtype = session.dtype(),
                .computeFloat32 = session.computesFloat32(),
                .place = session.weightPlace()} {}

void RepeatedLoad::cool() {
  m_loaded.reset();
  // Unmaps the pages: mapped pages cannot be dropped from the page cache.
  for (const auto& [name, weight] : m_session.checkpoint().weights())
    weight.stored.owner->release(weight.stored.owner->bytes());
  dropCachedPages(m_request.folder / "model.safetensors");
}

void RepeatedLoad::warm() {
  m_loaded.reset();
  readFile();
}

void RepeatedLoad::readFile() const {
  readWhole(m_request.folder / "model.safetensors");
}

void RepeatedLoad::load() {
  SilentProgress silent;
  m_loaded = Session::open(m_request, silent);
}

MemoryCopy::MemoryCopy(const Transformer& transformer, std::int64_t bytes)
    : m_weights(stepWeights(transformer)), m_bytes(bytes) {
  std::size_t largest = 0;
  for (const auto& weight : m_weights) largest = std::max(largest, weight.size());
  m_to.reserve(largest);
  preferLargePages({m_to.data(), largest});
  m_to.resize(largest);
}

void MemoryCopy::run() {
  std::int64_t left = m_weights.empty() ? 0 : m_bytes;
  while (left > 0)
    for (const auto& weight : m_weights) {
      const std::int64_t count = std::min(left, std::ssize(weight));
      constexpr std::int64_t kChunk = 1 << 18;
      ThreadPool::instance().run(
          readingThreads() - 1, static_cast<std::uint32_t>((count + kChunk - 1) / kChunk),
          [&](std::int64_t chunk) {
            const std::int64_t begin = chunk * kChunk;
            std::copy(weight.data() + begin,
                      weight.data() + std::min(begin + kChunk, count),
                      m_to.data() + begin);
          });
      left -= count;
    }
}

ColdStart::ColdStart(const Session& session, const std::filesystem::path& place) {
  SilentProgress silent;
  m_copy = std::make_unique<WrittenCheckpoint>(session.checkpoint(), place, silent);
  m_request = {.folder = m_copy->folder(),
               .dtype = session.dtype(),
               .computeFloat32 = session.computesFloat32(),
               .place = session.weightPlace()};
}

void ColdStart::cool() const {
  dropCachedPages(weights());
}

void ColdStart::readFile() const {
  readWhole(weights());
}

void ColdStart::firstStep() const {
  SilentProgress silent;
  const auto session = Session::open(m_request, silent);
  PlainDecoder(transformerOf(*session), {TokenId(0)}, 1).step();
}

}  // namespace equipatch
