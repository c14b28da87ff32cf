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

/// One box of the block diagram.
struct DiagramBox {
  QString label;
  bool patched = false;
  std::vector<std::string> parts = {};  ///< of the patch, named as by patchSizes

  bool operator==(const DiagramBox&) const = default;
};

/// The boxes of a block: two branches that leave the residual stream and join it again.
struct BlockBoxes {
  std::vector<DiagramBox> attention;
  std::vector<DiagramBox> feedForward;
  bool parallel = false;  ///< both branches read the same residual stream
  // Whether the sum of the residual stream and a branch goes through a norm.
  bool normAfterAttention = false;
  bool normAfterFeedForward = false;
};

/// The label of a norm.
QString normLabel();

/// The boxes of a feed-forward branch after its first norm.
/// @param matrices that the patch changes, as in `PatchPlan::matrices`
std::vector<DiagramBox> feedForwardBoxes(const std::vector<std::string>& matrices,
                                         bool closesWithScale, bool closesWithBias);

BlockBoxes blockBoxes(const ModelSpec& spec, const PatchPlan& plan);

/// Draws the block diagram; the boxes that a patch changes are filled.
QImage blockDiagram(const BlockBoxes& block, const QPalette& palette, const QFont& font);

}  // namespace equipatch
