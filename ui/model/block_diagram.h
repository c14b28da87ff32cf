#pragma once

#include <QFont>
#include <QImage>
#include <QPalette>
#include <QString>
#include <vector>

#include "core/patch/planner.h"

namespace equipatch {

/// One box of the block's picture.
struct Station {
  QString label;
  bool patched = false;

  bool operator==(const Station&) const = default;
};

/// A block as it is drawn: two branches that leave the residual stream and join it again.
struct BlockStations {
  std::vector<Station> attention;
  std::vector<Station> feedForward;
  bool parallel = false;        ///< the second branch leaves where the first one does
  bool attentionSum = false;    ///< a norm of the sum v
  bool feedForwardSum = false;  ///< a norm of the sum x'
};

BlockStations stationsOf(const ModelSpec& spec, const PatchPlan& plan);

/// The picture: what a patch changes is filled.
QImage blockDiagram(const BlockStations& block, const QPalette& palette,
                    const QFont& font);

}  // namespace equipatch
