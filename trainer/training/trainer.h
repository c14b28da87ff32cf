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

  /// Takes documents from index `next` on while they fit into `tokens`, but at least one.
  /// Then sets `next` to the index of the first document not taken.
  Batch make(std::uint64_t& next, std::int64_t tokens) const;

  Batch make(const Document& document) const;

 private:
  const Generator& m_generator;
  std::shared_ptr<const Tokenizer> m_tokenizer;
};

/// Calls compute(0) … compute(count − 1) on up to `threads` (at least 1) new threads; in
/// each of them libtorch computes on one thread. Rethrows the first exception when all
/// calls have ended.
void inShards(std::size_t count, int threads,
              const std::function<void(std::size_t)>& compute);

/// The mean over all losses of all shards.
double meanOf(const std::vector<std::vector<float>>& losses);

/// Zeros, [shards][parameters].
/// @throws Error{Resource} if they need more than the free memory
std::vector<std::vector<float>> shardGradients(std::int64_t shards,
                                               std::size_t parameters);

/// Adds the other shards' gradients to the first shard's, in order, and returns the sum.
std::vector<float>& sumOf(std::vector<std::vector<float>>& gradients);

/// Matrices are random and keep the RMS of their input. The norms after attention and MLP
/// have scale 1 / √(2 · layers), so that all blocks together add as much to the residual
/// stream as the embedding. All other norms have scale 1.
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

/// The same options and documents give bit-identical parameters for any number of
/// threads and interruptions.
class Trainer {
 public:
  /// @param documents must outlive this.
  Trainer(const TrainingOptions& options, const BatchMaker& documents);

  /// @param state of a training with the same shape; other options may differ
  void resume(TrainingState state);

  /// @throws Error{Numeric} if the loss or the gradient is not finite; Error as
  /// `Network::losses`. After an error the parameters are unchanged, but the next step
  /// skips this step's documents.
  StepReport step();

  /// Mean loss over the target tokens of `batches`, in nats.
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
