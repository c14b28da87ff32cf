#pragma once

#include <span>

#include "ui/qcp.h"

namespace equipatch {

/// What is drawn for a value on a logarithmic axis: zero and below fall far off the lower
/// edge, so that the line dives there instead of vanishing.
double logValue(double value);
/// The number that was given to `logValue`; others stay as they are.
double plottedValue(double value);

/// Makes an axis logarithmic with LogTicker's ticks.
void makeLogarithmic(QCPAxis* axis);

/// Range that shows all positive finite values of the visible graphs with a margin, never
/// narrower than a factor of four.
QCPRange logRange(std::span<const QCPGraph* const> graphs);

}  // namespace equipatch
