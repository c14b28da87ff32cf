#pragma once

#include "core/figure/figure.h"
#include "ui/qcp.h"

namespace equipatch {

/// The values along y that a panel must show, with a margin; on a logarithmic axis
/// positive ones only, over at least a factor of four.
QCPRange valueRange(const FigurePanel& panel);
/// The keys along x; half a place beside the first and the last where they are counted,
/// a margin elsewhere.
QCPRange keyRange(const FigurePanel& panel);

}  // namespace equipatch
