// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/text/tokenizer.h"
#include "trainer/documents/generator.h"
#include "trainer/network/network.h"
#include "trainer/training/optimizer.h"
#include "trainer/training/training_files.h"

namespace equipatch {

/// Tokenises documents for the network, with BOS before each. The targets of the loss are
/// the tokens of the answers, and EOS after the document's last token.
class BatchMaker {
 public:
  /// @param generator must outlive this.
  BatchMaker(const Generator& generator, std::shared_ptr<const Tokenizer> tokenizer)
      : m_generator(generator), m_tokenizer(std::move(tokenizer)) {}

  /// As many documents from index `next` on as fit into `tokens`, but at least one. Sets
  /// `next` to the index after the last one.
  Batch make(std::uint64_t& next, std::int64_t tokens) const;

  /// One document alone.
  Batch make(const Document& document) const;

 private:
  const Generator& m_generator;
  std::shared_ptr<const Tokenizer> m_tokenizer;
};

/// Calls compute(0) … compute(count − 1) on up to `threads` threads (at least 1). In each
/// of these, libtorch is limited to one thread, so that the threads wait for each other
/// once per step instead of at every product. Rethrows the first exception when all calls
/// have ended.
void inShards(std::size_t count, int threads,
              const std::function<void(std::size_t)>& compute);

/// Mean over the losses of all shards.
double meanOf(const std::vector<std::vector<float>>& losses);

/// A gradient of zeros for each shard [shards][parameters].
/// @throws Error{Resource} when they need more than the free memory
std::vector<std::vector<float>> shardGradients(std::int64_t shards,
                                               std::size_t parameters);

/// Adds the other shards' gradients to the first shard's, in order, and returns the sum.
std::vector<float>& sumOf(std::vector<std::vector<float>>& gradients);

/// Random matrices, whose outputs have the RMS of their inputs. A norm that closes an
/// attention or an MLP has scale 1 / √(2 · layers), so that all blocks together add as
/// much to the residual stream as the embedding. All other norms have scale 1.
std::vector<float> initialParameters(const NetworkShape& shape, std::uint64_t seed);

struct TrainingOptions {
  NetworkShape shape;
  Precision precision = Precision::Bfloat16;
  AdamwOptions optimizer;
  Schedule schedule;
  std::int64_t shards = 2;  ///< per step; their gradients are summed in a fixed order
  std::int64_t tokensPerShard = 2048;
  int threads = 2;
  std::uint64_t seed = 1;  ///< of the initial parameters
};

struct StepReport {
  double loss = 0;  ///< mean over the target tokens, in nats
  std::int64_t tokens = 0;
};

/// Trains step by step. The same options and documents give the same bits for any number
/// of threads and interruptions.
class Trainer {
 public:
  /// @param documents must outlive this.
  Trainer(const TrainingOptions& options, const BatchMaker& documents);

  /// Continues from a state of a training with the same shape; other options, such as
  /// the number of steps, may differ.
  void resume(TrainingState state);

  /// @throws Error{Numeric} when the loss or the gradient is not finite; Error as
  /// `Network::losses`. The parameters are then unchanged, but the step's documents are
  /// skipped.
  StepReport step();

  /// Mean loss over the target tokens of `batches`, in nats; changes nothing.
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
