// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/paper.h"

#include <QFontDatabase>
#include <algorithm>

namespace equipatch {
namespace {

constexpr double kHairline = 0.5;     // points
constexpr double kLargestSign = 9.0;  // points; of a mark in a legend, with its outline
constexpr double kSmaller = 0.88;     // of the font size, for tick labels and legends

constexpr FigureFont kOtherFonts[] = {
    {QT_TRANSLATE_NOOP("equipatch::StyleForm", "Computer Modern (CMU Serif)"),
     "CMU Serif"},
    {QT_TRANSLATE_NOOP("equipatch::StyleForm", "Computer Modern (Latin Modern)"),
     "Latin Modern Roman"},
    {QT_TRANSLATE_NOOP("equipatch::StyleForm", "Times (Nimbus Roman)"), "Nimbus Roman"},
    {QT_TRANSLATE_NOOP("equipatch::StyleForm", "Times (TeX Gyre Termes)"),
     "TeX Gyre Termes"},
    {QT_TRANSLATE_NOOP("equipatch::StyleForm", "Helvetica (Nimbus Sans)"), "Nimbus Sans"},
    {QT_TRANSLATE_NOOP("equipatch::StyleForm", "Helvetica (TeX Gyre Heros)"),
     "TeX Gyre Heros"},
    {QT_TRANSLATE_NOOP("equipatch::StyleForm", "Arial (Liberation Sans)"),
     "Liberation Sans"},
    {QT_TRANSLATE_NOOP("equipatch::StyleForm", "DejaVu Serif"), "DejaVu Serif"}};

}  // namespace

QList<FigureFont> figureFonts() {
  QList<FigureFont> fonts{{QT_TRANSLATE_NOOP("equipatch::StyleForm", "DejaVu Sans"), ""}};
  const QStringList installed = QFontDatabase::families();
  for (const FigureFont& font : kOtherFonts)
    if (installed.contains(QLatin1String(font.family))) fonts << font;
  return fonts;
}

Paper::Paper(const FigureStyle& style) : m_style(style) {
  m_theme.setMode(style.dark ? Theme::Mode::Dark : Theme::Mode::Light);
  if (m_style.family.isEmpty()) m_style.family = QStringLiteral("DejaVu Sans");
}

QFont Paper::font(double relativeSize, QFont::Weight weight) const {
  QFont font(m_style.family);
  font.setPixelSize(units(m_style.fontSize * relativeSize));
  font.setWeight(weight);
  // Hinting would make letters depend on the screen.
  font.setHintingPreference(QFont::PreferNoHinting);
  // Spaced letters form no ligatures, which keeps "bfloat16" searchable.
  font.setLetterSpacing(QFont::AbsoluteSpacing, 0.02);
  return font;
}

QPen Paper::pen(const QColor& colour, double points, Qt::PenStyle line) const {
  QPen pen(colour, points * kUnitsPerPoint, line);
  pen.setCapStyle(line == Qt::SolidLine ? Qt::RoundCap : Qt::FlatCap);
  pen.setJoinStyle(Qt::RoundJoin);
  return pen;
}

void Paper::styleAxis(QCPAxis& axis) const {
  const Colours& c = colours();
  axis.setBasePen(pen(c.text, kHairline));
  axis.setTickPen(pen(c.text, kHairline));
  axis.setSubTickPen(pen(c.text, kHairline));
  axis.setTickLabelColor(c.text);
  axis.setLabelColor(c.text);
  axis.setTickLabelFont(font(kSmaller));
  axis.setLabelFont(font());
  axis.setTickLengthIn(0);
  axis.setTickLengthOut(units(2.5));
  axis.setSubTickLengthIn(0);
  axis.setSubTickLengthOut(units(1.25));
  axis.setTickLabelPadding(units(1.5));
  axis.setLabelPadding(units(2));
  axis.setPadding(units(1));
  axis.grid()->setPen(pen(c.raised, kHairline));
  axis.grid()->setSubGridVisible(false);
  axis.grid()->setZeroLinePen(Qt::NoPen);
}

void Paper::styleScale(QCPColorScale& scale) const {
  scale.setBarWidth(units(6));
  scale.setMinimumMargins({});
  styleAxis(*scale.axis());
  scale.axis()->setLabelFont(font());
}

void Paper::styleLegend(QCPLegend& legend) const {
  legend.setBorderPen(Qt::NoPen);
  legend.setBrush(Qt::NoBrush);
  legend.setFont(font(kSmaller));
  legend.setTextColor(colours().text);
  legend.setIconSize(units(14),
                     units(std::max(m_style.fontSize * kSmaller, kLargestSign)));
  legend.setIconTextPadding(units(3));
  legend.setIconBorderPen(Qt::NoPen);
  legend.setRowSpacing(units(0.5));
  legend.setColumnSpacing(units(8));
  legend.setMargins({});
  legend.setFillOrder(QCPLegend::foColumnsFirst);
}

}  // namespace equipatch
