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
struct Station {
  QString label;
  bool patched = false;

  bool operator==(const Station&) const = default;
};

/// The boxes of a block: two branches that leave the residual stream and join it again.
struct BlockStations {
  std::vector<Station> attention;
  std::vector<Station> feedForward;
  bool parallel = false;        ///< both branches leave at the same place
  bool attentionSum = false;    ///< a norm follows the sum v
  bool feedForwardSum = false;  ///< a norm follows the sum x'
};

BlockStations stationsOf(const ModelSpec& spec, const PatchPlan& plan);

/// Draws the block diagram; the boxes that a patch changes are filled.
QImage blockDiagram(const BlockStations& block, const QPalette& palette,
                    const QFont& font);

}  // namespace equipatch
