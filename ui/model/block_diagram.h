// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QImage>
#include <QPalette>
#include <QString>
#include <string>
#include <vector>

#include "core/checkpoint/spec.h"
#include "core/patch/planner.h"

namespace equipatch {

struct DiagramBox {
  QString label;
  bool patched = false;
  std::vector<std::string> parts = {};  ///< of the patch; each a PatchSize::name

  bool operator==(const DiagramBox&) const = default;
};

/// The boxes of the two branches that leave the residual stream and join it again.
struct BlockBoxes {
  std::vector<DiagramBox> attention;
  std::vector<DiagramBox> feedForward;
  bool parallel = false;  ///< both branches begin at the block's input
  // Whether the sum of the residual stream and a branch goes through a norm.
  bool normAfterAttention = false;
  bool normAfterFeedForward = false;
};

QString normLabel();

/// The boxes after the branch's first norm.
/// @param matrices as in `PatchPlan::matrices`
std::vector<DiagramBox> feedForwardBoxes(const std::vector<std::string>& matrices,
                                         bool closesWithScale, bool closesWithBias);

BlockBoxes blockBoxes(const ModelSpec& spec, const PatchPlan& plan);

/// Fills the boxes that a patch changes with the highlight colour.
QImage blockDiagram(const BlockBoxes& block, const QPalette& palette, const QFont& font);

}  // namespace equipatch
