// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/figure_legends.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/figure/panel_range.h"
#include "ui/chart/text_lines.h"

namespace equipatch {
namespace {

constexpr double kLegendType = 0.88;        // of the figure's font size
constexpr double kBesideName = 14 + 3 + 8;  // points: swatch and gaps of a legend's entry

bool hasName(const LegendEntries& entries, const QString& name) {
  return std::ranges::any_of(
      entries, [&](const QCPAbstractPlottable* entry) { return entry->name() == name; });
}

/// Without the remark on exact zeros, which only some of the panels with equal curves may
/// have.
QStringList curveNames(const LegendEntries& entries) {
  QStringList names;
  for (const QCPAbstractPlottable* entry : entries)
    if (entry->name() != QString::fromUtf8(kZeroName)) names << entry->name();
  return names;
}

LegendEntries zeroRemarkOf(const LegendEntries& entries) {
  LegendEntries remark;
  for (QCPAbstractPlottable* entry : entries)
    if (entry->name() == QString::fromUtf8(kZeroName)) remark << entry;
  return remark;
}

void addMissing(const LegendEntries& more, LegendEntries& entries) {
  for (QCPAbstractPlottable* entry : more)
    if (!hasName(entries, entry->name())) entries << entry;
}

bool looksAlike(const QCPAbstractPlottable& a, const QCPAbstractPlottable& b) {
  const auto* first = qobject_cast<const QCPGraph*>(&a);
  const auto* second = qobject_cast<const QCPGraph*>(&b);
  if (!first || !second) return false;
  const QCPScatterStyle one = first->scatterStyle(), other = second->scatterStyle();
  return first->pen() == second->pen() && one.shape() == other.shape() &&
         one.pen() == other.pen() && one.brush() == other.brush();
}

bool hasLine(const QCPAbstractPlottable& entry) {
  const auto* graph = qobject_cast<const QCPGraph*>(&entry);
  return graph && graph->lineStyle() != QCPGraph::lsNone;
}

/// Two entries with lines differ by colour or line style; their markers do not count.
bool areConfused(const QCPAbstractPlottable& a, const QCPAbstractPlottable& b) {
  if (a.name() == b.name()) return false;
  if (!hasLine(a) || !hasLine(b)) return looksAlike(a, b);
  return a.pen().color() == b.pen().color() && a.pen().style() == b.pen().style();
}

bool isAmbiguous(const LegendEntries& entries, const LegendEntries& shared) {
  return std::ranges::any_of(entries, [&](const QCPAbstractPlottable* entry) {
    return std::ranges::any_of(shared, [&](const QCPAbstractPlottable* other) {
      return areConfused(*entry, *other);
    });
  });
}

LegendEntries notExplained(const LegendEntries& entries, const LegendEntries& shared) {
  LegendEntries more;
  std::ranges::copy_if(
      entries, std::back_inserter(more), [&](const QCPAbstractPlottable* entry) {
        return std::ranges::none_of(shared, [&](const QCPAbstractPlottable* other) {
          return entry->name() == other->name() && looksAlike(*entry, *other);
        });
      });
  return more;
}

/// One legend for each group of consecutive panels with equal curves. A later panel with
/// exact zeros gets a legend with the remark on zeros alone if the group's legend lacks
/// this remark.
QList<PanelLegend> groupedLegends(const QList<PanelLegend>& panels,
                                  const FigureStyle& style, int columns) {
  QList<PanelLegend> legends, remarks;
  const bool isBelow = style.legendPlace == LegendPlace::Below;
  int lastPanel = -1;  // the previous panel that has entries
  for (const PanelLegend& panel : panels) {
    const bool continues =
        !legends.isEmpty() && lastPanel == panel.panel - 1 &&
        curveNames(legends.back().entries) == curveNames(panel.entries);
    lastPanel = panel.panel;
    if (!continues) {
      legends << panel;
      continue;
    }
    const bool isNewRow = panel.panel / columns != legends.back().panel / columns;
    if (isBelow && isNewRow) legends.back().panel = panel.panel;
    if (legends.back().panel == panel.panel)
      addMissing(panel.entries, legends.back().entries);
    else if (const LegendEntries remark = zeroRemarkOf(panel.entries);
             !remark.isEmpty() && zeroRemarkOf(legends.back().entries).isEmpty())
      remarks << PanelLegend{panel.panel, remark};
  }
  return legends + remarks;
}

}  // namespace

FigureLegends chosenLegends(const QList<LegendEntries>& named,
                            const QList<bool>& explained, const FigureStyle& style,
                            int columns) {
  FigureLegends legends;
  if (!style.legend) return legends;
  // A legend with a single entry says no more than the panels' headings.
  const auto saysNothing = [](const LegendEntries& entries, bool isExplained) {
    return entries.size() < 2 && !isExplained && zeroRemarkOf(entries).isEmpty();
  };
  QList<PanelLegend> own;
  for (int panel = 0; panel < named.size(); ++panel) {
    const LegendEntries& entries = named[panel];
    if (entries.isEmpty()) continue;
    if (!style.sharedLegend) {
      own << PanelLegend{panel, entries};
    } else if (!isAmbiguous(entries, legends.shared)) {
      addMissing(entries, legends.shared);
    } else if (const LegendEntries more = notExplained(entries, legends.shared);
               !more.isEmpty()) {
      own << PanelLegend{panel, more};
    }
  }
  legends.panels = groupedLegends(own, style, columns);
  if (style.sharedLegend) {
    if (saysNothing(legends.shared, explained.contains(true))) legends.shared.clear();
    return legends;
  }
  legends.panels.removeIf([&](const PanelLegend& legend) {
    return saysNothing(legend.entries, explained[legend.panel]);
  });
  return legends;
}

int entryWidth(const LegendEntries& entries, const Paper& paper) {
  const QFontMetricsF metrics(paper.font(kLegendType));
  double widest = 0.0;
  for (const QCPAbstractPlottable* plottable : entries)
    widest = std::max(widest, widestLine(plottable->name().split(u'\n'), metrics));
  return int(std::ceil(widest)) + Paper::units(kBesideName);
}

void fillLegend(QCPLegend& legend, const LegendEntries& entries, const Paper& paper,
                int room, LegendColumns columns) {
  legend.setLayer(QStringLiteral("legend"));
  paper.styleLegend(legend);
  const QFontMetricsF metrics(paper.font(kLegendType));
  for (QCPAbstractPlottable* plottable : entries)
    plottable->setName(
        textLines(plottable->name(), metrics, room - Paper::units(kBesideName))
            .join(u'\n'));
  const int fitting =
      std::clamp(room / entryWidth(entries, paper), 1, int(entries.size()));
  legend.setWrap(columns == LegendColumns::One ? 1 : fitting);  // before entries
  for (QCPAbstractPlottable* plottable : entries) plottable->addToLegend(&legend);
}

int legendHeight(const QCPLegend& legend, const Paper& paper) {
  constexpr double kLine = 1.3, kFurtherLine = 1.05;  // font sizes
  double height = 0.0;
  for (int first = 0; first < legend.itemCount(); first += legend.wrap()) {
    qsizetype further = 0;
    for (int i = first; i < std::min(first + legend.wrap(), legend.itemCount()); ++i)
      if (auto* item = qobject_cast<QCPPlottableLegendItem*>(legend.item(i)))
        further = std::max(further, item->plottable()->name().count(u'\n'));
    height += kLine + kFurtherLine * double(further);
  }
  return Paper::units(height * paper.fontSize());
}

}  // namespace equipatch
