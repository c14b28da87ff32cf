// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/figure_plot.h"

#include <QCoreApplication>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/figure/panel_range.h"
#include "ui/chart/series_style.h"
#include "ui/figure/figure_layout.h"
#include "ui/figure/paper.h"

namespace equipatch {
namespace {

// The shorter side of the smallest axes, in font sizes.
constexpr double kComfortable = 4.5;  // less: other numbers of columns are tried
constexpr double kReadable = 2.5;     // less: the figure is refused
// Inches. Figures wider than a page, such as slides, have no limit of height.
constexpr double kPageWidth = 8.5, kPageHeight = 9.5;

void layOut(QCustomPlot& plot, QSize size) {
  plot.setViewport(QRect({}, size));
  plot.plotLayout()->setOuterRect(QRect({}, size));
  for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins,
                           QCPLayoutElement::upLayout})
    plot.plotLayout()->update(phase);
}

/// Repeats the layout until the axes keep their sizes, because the ticks and labels that
/// fit the axes need margins, and these change the axes.
void settle(FigureLayout& layout, QCustomPlot& plot) {
  constexpr int kMostRounds = 8;
  QList<QSize> before;
  for (int round = 0; round < kMostRounds; ++round) {
    layOut(plot, layout.size());
    const QList<QSize> axes = layout.axesSizes();
    if (axes == before) return;
    before = axes;
    layout.fit();
  }
}

/// The end of a sentence that advises the user; empty: nothing can be left out.
std::string fewerPanels(const Figure& figure) {
  if (figure.panels.size() < 2) return {};
  if (figure.kind == "overview" || figure.kind == "lab") return " or fewer panels";
  const bool byRun = figure.kind == "patch-norms" || figure.kind == "scale-heatmap";
  return byRun ? " or fewer runs" : "";
}

Error tooSmall(const Figure& figure, const FigureStyle& style) {
  const std::string fewer = fewerPanels(figure);
  return badInput(
      "the panels do not fit into " + shortText(style.width, 4) +
      (style.height > 0 ? " × " + shortText(style.height, 4) : std::string()) +
      " in with type of " + shortText(style.fontSize, 4) + " pt; choose smaller type" +
      (fewer.empty() ? " or" : ",") + " a larger figure" + fewer);
}

QString tallRemark(const Figure& figure, QSize size) {
  const double inches = double(size.height()) / Paper::kUnitsPerInch;
  return QString::fromStdString("The figure is " + shortText(inches, 3) +
                                " in high, more than a page; choose a height" +
                                fewerPanels(figure) + ".");
}

/// An experiment's figure has no runs that the user could leave out, so its remark points
/// to the .json file.
QString alikeRemark(const Figure& figure, const FigureStyle& style) {
  const Paper paper(style);
  const QString remark =
      figure.kind == "lab"
          ? QCoreApplication::translate("equipatch::FigurePlot",
                                        "“%1” and “%2” look alike; the .json file beside "
                                        "the figure has the numbers of both.")
          : QCoreApplication::translate(
                "equipatch::FigurePlot",
                "“%1” and “%2” look alike; draw fewer runs, group them by their "
                "settings, or choose another colour in a run's menu in the window.");
  for (const FigurePanel& panel : figure.panels)
    for (std::size_t i = 0; i < panel.curves.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) {
        const FigureCurve &a = panel.curves[k], &b = panel.curves[i];
        const bool areNumbered =
            a.look == FigureCurve::Look::Numbered && a.look == b.look;
        if (areNumbered && a.name != b.name &&
            looksAlike(styleOf(a), styleOf(b), paper.colours()))
          return remark.arg(QString::fromStdString(a.name),
                            QString::fromStdString(b.name));
      }
  return {};
}

QString tokenRemark(const Figure& figure, const QCustomPlot& plot) {
  qsizetype tokens = 0, labels = 0;
  for (const FigurePanel& panel : figure.panels) {
    const FigureRange shown = keyRange(panel);
    qsizetype within = 0;
    for (std::size_t i = 0; i < panel.x.names.size(); ++i)
      within += double(i) >= shown.low && double(i) <= shown.high ? 1 : 0;
    tokens = std::max(tokens, within);
  }
  for (const QCPAxisRect* rect : plot.axisRects()) {
    const QCPAxis& axis = *rect->axis(QCPAxis::atBottom);
    if (const auto names = axis.ticker().dynamicCast<QCPAxisTickerText>())
      labels = std::max<qsizetype>(
          labels, std::ranges::count_if(names->ticks().keys(), [&](double place) {
            return axis.range().contains(place);
          }));
  }
  if (labels == 0 || labels >= tokens) return {};
  return QCoreApplication::translate(
             "equipatch::FigurePlot",
             "%1 of %2 tokens have a label; more have room in a wider figure.")
      .arg(labels)
      .arg(tokens);
}

}  // namespace

std::vector<int> columnChoices(const Figure& figure, const FigureStyle& style) {
  constexpr double kPointsPerInch = 72.0;
  const double widest = kPointsPerInch * style.width / (kReadable * style.fontSize);
  std::vector<int> choices{figure.columns};
  for (int columns = 1; columns <= int(figure.panels.size()) && columns <= widest;
       ++columns)
    if (columns != figure.columns) choices.push_back(columns);
  return choices;
}

/// Prefers layouts that fit on a page with readable axes, then larger axes.
FigurePlot::FigurePlot(const Figure& figure, const FigureStyle& style) {
  std::pair<bool, double> best{false, 0.0};
  for (const int columns : columnChoices(figure, style)) {
    auto plot = std::make_unique<QCustomPlot>();
    FigureLayout layout(figure, style, columns, *plot);
    settle(layout, *plot);
    const double side = layout.leastSide();
    const bool fits = style.height > 0.0 || style.width > kPageWidth ||
                      layout.size().height() <= kPageHeight * Paper::kUnitsPerInch;
    const std::pair quality{fits && side >= kReadable, side};
    if (quality <= best) continue;
    best = quality;
    m_plot = std::move(plot);
    m_size = layout.size();
    m_remark = layout.remark();
    if (!fits) m_remark = (m_remark + u' ' + tallRemark(figure, m_size)).trimmed();
    if (fits && side >= kComfortable) break;
  }
  if (best.second < kReadable) throw tooSmall(figure, style);
  for (const QString& remark : {alikeRemark(figure, style), tokenRemark(figure, *m_plot)})
    m_remark = (m_remark + u' ' + remark).trimmed();
}

FigurePlot::~FigurePlot() = default;

void FigurePlot::paintVectors(QPaintDevice& device) {
  QCPPainter painter;
  painter.begin(&device);
  painter.setMode(QCPPainter::pmVectorized);
  painter.setMode(QCPPainter::pmNoCaching);
  painter.setMode(QCPPainter::pmNonCosmetic);
  painter.setRenderHint(QPainter::LosslessImageRendering);
  m_plot->toPainter(&painter, m_size.width(), m_size.height());
}

void FigurePlot::paintPixels(QPaintDevice& device, double scale) {
  QCPPainter painter;
  painter.begin(&device);
  painter.setMode(QCPPainter::pmNoCaching);
  painter.setMode(QCPPainter::pmNonCosmetic);
  painter.scale(scale, scale);
  m_plot->toPainter(&painter, m_size.width(), m_size.height());
}

}  // namespace equipatch
