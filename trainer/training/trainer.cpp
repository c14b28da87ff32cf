// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/training/trainer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <numbers>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/base/number_format.h"
#include "core/base/progress.h"
#include "core/base/random.h"
#include "trainer/network/network.h"
#include "trainer/vocabulary/tokenizer_files.h"

namespace equipatch {
namespace {

/// The Box–Muller transform; its second value is discarded.
double normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

}  // namespace

double meanOf(const std::vector<std::vector<float>>& losses) {
  double sum = 0;
  std::size_t count = 0;
  for (const std::vector<float>& shard : losses) {
    for (const float loss : shard) sum += loss;
    count += shard.size();
  }
  return sum / static_cast<double>(count);
}

std::vector<std::vector<float>> shardGradients(std::int64_t shards,
                                               std::size_t parameters) {
  constexpr double kMostShown = 1e18;  // fits into 64 bits
  const double bytes = static_cast<double>(shards) * static_cast<double>(parameters) *
                       double{sizeof(float)};
  const auto free = availableMemory();
  if (free && bytes > static_cast<double>(*free))
    throw Error(ErrorKind::Resource,
                "the gradients of " + std::to_string(shards) + " shards need " +
                    bytesText(static_cast<std::int64_t>(std::min(bytes, kMostShown))) +
                    ", but " + bytesText(*free) +
                    " of memory are free; train with fewer shards or a smaller network");
  return {static_cast<std::size_t>(shards), std::vector<float>(parameters)};
}

std::vector<float>& sumOf(std::vector<std::vector<float>>& gradients) {
  std::vector<float>& sum = gradients.front();
  for (std::size_t shard = 1; shard < gradients.size(); ++shard)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += gradients[shard][i];
  return sum;
}

void inShards(std::size_t count, int threads,
              const std::function<void(std::size_t)>& compute) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    Network::useOneThread();
    for (std::size_t shard = next++; shard < count; shard = next++) {
      try {
        compute(shard);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 0; i < std::min(count, static_cast<std::size_t>(threads)); ++i)
      helpers.emplace_back(work);
  }
  if (failure) std::rethrow_exception(failure);
}

std::vector<float> initialParameters(const NetworkShape& shape, std::uint64_t seed) {
  const ParameterLayout layout(shape);
  std::vector<float> values(static_cast<std::size_t>(layout.size()));
  Random random(seed);
  const double share = 1 / std::sqrt(2.0 * static_cast<double>(shape.layers));
  for (const Parameter& parameter : layout.parameters()) {
    const bool isBlockOutput = parameter.name.find("post_") != std::string::npos;
    const double deviation = 1 / std::sqrt(static_cast<double>(parameter.shape.back()));
    for (std::int64_t i = 0; i < parameter.count; ++i)
      values[static_cast<std::size_t>(parameter.offset + i)] = static_cast<float>(
          parameter.kind == ParameterKind::Scale ? (isBlockOutput ? share - 1 : 0)
                                                 : deviation * normal(random));
  }
  return values;
}

Trainer::Trainer(const TrainingOptions& options, const BatchMaker& documents)
    : m_options(options),
      m_documents(documents),
      m_network(Network::create(options.shape, options.precision)),
      m_optimizer(m_network->layout().parameters(), options.optimizer) {
  const auto count = static_cast<std::size_t>(m_network->layout().size());
  m_state.parameters = initialParameters(options.shape, options.seed);
  m_state.expAvg.resize(count);
  m_state.expAvgSq.resize(count);
  m_gradients = shardGradients(options.shards, count);
  m_network->setParameters(m_state.parameters);
}

void Trainer::resume(TrainingState state) {
  m_state = std::move(state);
  m_network->setParameters(m_state.parameters);
}

std::vector<Batch> Trainer::nextBatches() {
  std::vector<Batch> batches;
  for (std::int64_t i = 0; i < m_options.shards; ++i)
    batches.push_back(m_documents.make(m_state.nextDocument, m_options.tokensPerShard));
  return batches;
}

std::vector<std::vector<float>> Trainer::computeShards(
    const std::vector<Batch>& batches) {
  std::size_t targets = 0;
  for (const Batch& batch : batches) targets += batch.rows.size();
  const float scale = 1 / static_cast<float>(targets);
  std::vector<std::vector<float>> losses(batches.size());
  inShards(batches.size(), m_options.threads, [&](std::size_t shard) {
    std::vector<float>& gradient = m_gradients[shard];
    std::fill(gradient.begin(), gradient.end(), 0.0f);
    losses[shard] = m_network->backpropagate(batches[shard], scale, gradient);
  });
  return losses;
}

StepReport Trainer::step() {
  const Stopwatch watch;
  const std::vector<Batch> batches = nextBatches();
  StepReport report{.loss = meanOf(computeShards(batches))};
  if (!std::isfinite(report.loss))
    throw Error(ErrorKind::Numeric,
                "the loss of step " + std::to_string(m_state.step) +
                    " is not finite; train with a smaller learning rate");
  const std::vector<float>& gradient = sumOf(m_gradients);
  m_optimizer.step(m_state, gradient, m_options.schedule.rate(m_state.step));
  m_network->setParameters(m_state.parameters);
  for (const Batch& batch : batches) report.tokens += batch.tokens();
  m_state.tokens += report.tokens;
  m_state.seconds += watch.milliseconds() / 1000.0;
  return report;
}

double Trainer::loss(std::span<const Batch> batches) const {
  std::vector<std::vector<float>> losses(batches.size());
  inShards(batches.size(), m_options.threads,
           [&](std::size_t i) { losses[i] = m_network->losses(batches[i]); });
  return meanOf(losses);
}

namespace {

/// True if the token lies in an answer. The document's other tokens are no targets.
bool isTarget(const Token& token, const Document& document) {
  return std::ranges::any_of(document.answers, [&](const ByteSpan& answer) {
    return token.span.begin >= answer.begin && token.span.end <= answer.end;
  });
}

void append(const Batch& document, Batch& batch) {
  const std::int64_t offset = batch.tokens();
  batch.ids.insert(batch.ids.end(), document.ids.begin(), document.ids.end());
  batch.ends.push_back(batch.tokens());
  for (const std::int64_t row : document.rows) batch.rows.push_back(offset + row);
  batch.successors.insert(batch.successors.end(), document.successors.begin(),
                          document.successors.end());
}

}  // namespace

Batch BatchMaker::make(std::uint64_t& next, std::int64_t tokens) const {
  Batch batch;
  while (true) {
    const Batch document = make(m_generator.document(next));
    if (batch.tokens() > 0 && batch.tokens() + document.tokens() > tokens) return batch;
    append(document, batch);
    ++next;
  }
}

Batch BatchMaker::make(const Document& document) const {
  Batch batch;
  for (const Token& token : m_tokenizer->encode(document.text, SpecialTokens::Add)) {
    if (!token.special && isTarget(token, document)) {
      batch.rows.push_back(batch.tokens() - 1);
      batch.successors.push_back(token.id.value);
    }
    batch.ids.push_back(token.id.value);
  }
  batch.rows.push_back(batch.tokens() - 1);
  batch.successors.push_back(kEosId);
  batch.ends.push_back(batch.tokens());
  return batch;
}

}  // namespace equipatch
