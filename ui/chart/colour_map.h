#pragma once

#include "core/figure/heat_grid.h"
#include "ui/chart/colour_scale.h"
#include "ui/qcp.h"

namespace equipatch {

/// Puts a pooled grid's cells into a map, columns along the key axis with column c
/// centred at c, layers along the value axis.
void fillColourMap(QCPColorMap& map, const PooledGrid& pooled,
                   const ColourTransform& transform);

}  // namespace equipatch
