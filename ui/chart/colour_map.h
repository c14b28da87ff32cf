#pragma once

#include <functional>

#include "core/figure/heat_grid.h"
#include "ui/qcp.h"

namespace equipatch {

/// Puts a pooled grid's cells into a map, columns along the key axis with column c
/// centred at c, layers along the value axis.
/// @param transform from a value to its place on the colour scale
void fillColourMap(QCPColorMap& map, const PooledGrid& pooled,
                   const std::function<double(double)>& transform);

}  // namespace equipatch
