// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <utility>

#include "core/figure/figure_kind.h"
#include "tests/support/records.h"
#include "ui/figure/figure_plot.h"
#include "ui/qcp.h"

namespace equipatch::test {

/// A figure of a synthetic run.
inline Figure someFigure(FigureKind kind, int steps = 12) {
  FigureRun run{"mine", withPicture(*makeHeader()), {}};
  for (int step = 0; step < steps; ++step)
    run.steps.push_back(makeRecord(step, {.mismatchEvery = 5}));
  return makeFigure(kind, {run}, {});
}

/// The panels' axes, row by row; QCustomPlot lists them in another order.
inline QList<QCPAxisRect*> panelsInOrder(const QCustomPlot& plot) {
  QList<QCPAxisRect*> rects = plot.axisRects();
  std::ranges::sort(rects, {}, [](const QCPAxisRect* rect) {
    return std::pair(rect->top(), rect->left());
  });
  return rects;
}

/// All elements of a kind in the plot's layout.
template <typename Element>
QList<Element*> elementsOf(const FigurePlot& plot) {
  QList<Element*> found;
  for (QCPLayoutElement* element : plot.plot().plotLayout()->elements(true))
    if (auto* one = dynamic_cast<Element*>(element)) found << one;
  return found;
}

}  // namespace equipatch::test
