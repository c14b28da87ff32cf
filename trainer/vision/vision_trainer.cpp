// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/vision/vision_trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/base/progress.h"

namespace equipatch {

VisionTrainer::VisionTrainer(const VisionTrainingOptions& options,
                             const SceneBatchMaker& scenes)
    : m_options(options),
      m_scenes(scenes),
      m_network(VisionNetwork::create(options.shape, options.precision)),
      m_optimizer(m_network->layout().parameters(), options.optimizer) {
  const auto count = static_cast<std::size_t>(m_network->layout().size());
  m_state.parameters = initialParameters(options.shape, options.seed);
  m_state.expAvg.resize(count);
  m_state.expAvgSq.resize(count);
  m_gradients = shardGradients(options.shards, count);
  m_network->setParameters(m_state.parameters);
}

void VisionTrainer::resume(TrainingState state) {
  m_state = std::move(state);
  m_network->setParameters(m_state.parameters);
}

StepReport VisionTrainer::step() {
  const Stopwatch watch;
  const std::size_t shards = m_gradients.size();
  std::vector<std::vector<float>> losses(shards);
  std::vector<std::int64_t> tokens(shards);
  inShards(shards, m_options.threads, [&](std::size_t shard) {
    const std::uint64_t first =
        m_state.nextDocument +
        shard * static_cast<std::uint64_t>(m_options.scenesPerShard);
    const SceneBatch batch = m_scenes.make(first, m_options.scenesPerShard);
    std::ranges::fill(m_gradients[shard], 0.0F);
    // Every shard has the same weight, however many targets it has.
    const auto learned = static_cast<float>(batch.rows.size() * shards);
    losses[shard] = m_network->backpropagate(batch, 1 / learned, m_gradients[shard]);
    tokens[shard] = batch.tokens();
  });
  StepReport report{.loss = meanOf(losses)};
  if (!std::isfinite(report.loss))
    throw Error(ErrorKind::Numeric,
                "the loss of step " + std::to_string(m_state.step) +
                    " is not finite; train with a smaller learning rate");
  const std::vector<float>& gradient = sumOf(m_gradients);
  m_optimizer.step(m_state, gradient, m_options.schedule.rate(m_state.step));
  for (const std::int64_t count : tokens) report.tokens += count;
  m_state.nextDocument += shards * static_cast<std::uint64_t>(m_options.scenesPerShard);
  m_state.tokens += report.tokens;
  m_state.seconds += watch.milliseconds() / 1000.0;
  return report;
}

double VisionTrainer::loss(std::span<const SceneBatch> batches) const {
  std::vector<std::vector<float>> losses(batches.size());
  inShards(batches.size(), m_options.threads,
           [&](std::size_t i) { losses[i] = m_network->losses(batches[i]); });
  return meanOf(losses);
}

}  // namespace equipatch
