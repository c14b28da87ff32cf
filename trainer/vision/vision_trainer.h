// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trainer/training/optimizer.h"
#include "trainer/training/trainer.h"
#include "trainer/vision/scene_batches.h"
#include "trainer/vision/vision_network.h"

namespace equipatch {

struct VisionTrainingOptions {
  VisionShape shape;
  Precision precision = Precision::Bfloat16;
  AdamwOptions optimizer;
  Schedule schedule;
  std::int64_t shards = 2;  ///< per step; their gradients are summed in a fixed order
  std::int64_t scenesPerShard = 32;
  int threads = 2;
  std::uint64_t seed = 1;  ///< of the initial parameters
};

/// The same options and scenes give bit-identical parameters for any number of threads
/// and interruptions.
class VisionTrainer {
 public:
  /// @param scenes must outlive this.
  VisionTrainer(const VisionTrainingOptions& options, const SceneBatchMaker& scenes);

  /// @param state of a training with the same shape; other options may differ
  void resume(TrainingState state);

  /// @throws Error{Numeric} if the loss or the gradient is not finite; Error as
  /// `SceneBatchMaker::make`
  StepReport step();

  /// Mean loss over the target tokens of `batches`, in nats.
  double loss(std::span<const SceneBatch> batches) const;

  const TrainingState& state() const { return m_state; }
  const VisionNetwork& network() const { return *m_network; }

 private:
  VisionTrainingOptions m_options;
  const SceneBatchMaker& m_scenes;
  std::unique_ptr<VisionNetwork> m_network;
  Adamw m_optimizer;
  TrainingState m_state;
  std::vector<std::vector<float>> m_gradients;  ///< [shards][parameters]
};

}  // namespace equipatch
