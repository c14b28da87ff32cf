// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/model/linear.h"
#include "core/model/vision_tower.h"
#include "core/run/session.h"

namespace equipatch {

// The computations that a benchmark of the vision tower times. Run them in an
// InferenceMode.

/// A product of two 2048 × 2048 matrices by `Arithmetic::product`, with weights in the
/// run's dtype. In bfloat16, `Arithmetic::product` may use the program's own kernel.
/// LargeProduct in timed_work.h always uses libtorch's.
class KernelProduct {
 public:
  explicit KernelProduct(const Arithmetic& arithmetic);
  void run();
  double operations() const;  ///< floating-point operations of one run

 private:
  Arithmetic m_arithmetic;
  Tensor m_x;
  Linear m_weights;
};

/// The vision tower of a session and an image as its input.
class TowerRun {
 public:
  /// @param session of a model that takes images (`requireVision`)
  /// @param progress outlives this. The constructor, which reads the tower, reports 0 to
  /// 1, and each `run` reports 0 to 1 again.
  TowerRun(const Session& session, Progress& progress);
  void run();
  double operations() const;  ///< floating-point operations of one run

 private:
  VisionTower m_tower;
  Tensor m_pixels;
  double m_operations;
  Progress& m_progress;
};

}  // namespace equipatch
