#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "trainer/network/network.h"
#include "trainer/training/batch_maker.h"
#include "trainer/training/optimizer.h"
#include "trainer/training/training_files.h"

namespace equipatch {

/// compute(0) … compute(count − 1) on up to `threads` threads, on each of which libtorch
/// computes alone: threads that meet once a step do not wait for each other at every
/// product, which is what makes the difference where others use the machine too. The
/// first exception is thrown again when all are done.
void inShards(std::size_t count, int threads,
              const std::function<void(std::size_t)>& compute);

/// Parameters to begin with: matrices at random, such that products keep the size of what
/// enters them, scales such that all blocks together add as much as the embedding.
std::vector<float> initialParameters(const NetworkShape& shape, std::uint64_t seed);

struct TrainingOptions {
  NetworkShape shape;
  Precision precision = Precision::Bfloat16;
  AdamwOptions optimizer;
  Schedule schedule;
  std::int64_t shards = 2;  ///< of a step; summed in order, whoever computes them
  std::int64_t tokensPerShard = 2048;
  int threads = 2;
  std::uint64_t seed = 1;  ///< of the first parameters
};

struct StepReport {
  std::int64_t step = 0;
  double loss = 0;  ///< mean over the learned tokens, in nats
  double gradientNorm = 0;
  std::int64_t tokens = 0;
};

/// A training, a step at a time. The same options and documents give the same bits,
/// whether it was interrupted or not and however many threads there are.
class Trainer {
 public:
  /// @param documents must outlive this.
  Trainer(const TrainingOptions& options, const BatchMaker& documents);

  /// Goes on from a state of a training with the same options.
  void resume(TrainingState state);

  /// @throws Error{Numeric} when the loss is no longer finite.
  StepReport step();

  /// Mean loss over the learned tokens of batches that nothing is learned from.
  double loss(std::span<const Batch> batches) const;

  const TrainingState& state() const { return m_state; }
  const Network& network() const { return *m_network; }

 private:
  std::vector<Batch> nextBatches();
  std::vector<std::vector<float>> computeShards(const std::vector<Batch>& batches);

  TrainingOptions m_options;
  const BatchMaker& m_documents;
  std::unique_ptr<Network> m_network;
  Adamw m_optimizer;
  TrainingState m_state;
  std::vector<std::vector<float>> m_gradients;  ///< [shards][parameters]
};

}  // namespace equipatch
