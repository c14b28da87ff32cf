// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/model/linear.h"
#include "core/model/vision_tower.h"
#include "core/run/session.h"

namespace equipatch {

// Work that a benchmark of the vision tower times. It must run in an InferenceMode.

/// A product of two 2048 × 2048 matrices by `Arithmetic::product`, with weights in the
/// run's dtype. In bfloat16, unlike LargeProduct (timed_work.h), this product may use the
/// program's own kernel instead of libtorch's.
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

/// The vision tower of a session, run on one image.
class TowerRun {
 public:
  /// @param session of a model that takes images (`requireVision`)
  /// @param progress outlives this; the constructor and each `run` report to it from 0 on
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
