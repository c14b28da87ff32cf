// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QImage>
#include <QPalette>
#include <QString>
#include <vector>

#include "core/patch/planner.h"

namespace equipatch {

/// One box of the block diagram.
struct DiagramBox {
  QString label;
  bool patched = false;

  bool operator==(const DiagramBox&) const = default;
};

/// The boxes of a block: two branches that leave the residual stream and join it again.
struct BlockBoxes {
  std::vector<DiagramBox> attention;
  std::vector<DiagramBox> feedForward;
  bool parallel = false;        ///< both branches leave at the same place
  bool attentionSum = false;    ///< a norm follows the sum v
  bool feedForwardSum = false;  ///< a norm follows the sum x'
};

BlockBoxes blockBoxes(const ModelSpec& spec, const PatchPlan& plan);

/// Draws the block diagram; the boxes that a patch changes are filled.
QImage blockDiagram(const BlockBoxes& block, const QPalette& palette, const QFont& font);

}  // namespace equipatch
