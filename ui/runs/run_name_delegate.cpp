// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_name_delegate.h"

#include <QApplication>
#include <algorithm>

#include "ui/chart/text_lines.h"

namespace equipatch {
namespace {

constexpr int kMostLines = 3;

QStringList namesOf(const QModelIndex& one) {
  QStringList names;
  for (int row = 0; row < one.model()->rowCount(); ++row)
    names << one.siblingAtRow(row).data().toString();
  return names;
}

/// The lines of each name.
QList<QStringList> linesOf(const QStringList& names, const QFontMetricsF& metrics,
                           double width) {
  constexpr double kLess = 0.9;  // where line breaks waste room
  const auto isLow = [](const QStringList& each) { return each.size() <= kMostLines; };
  QList<QStringList> lines;
  for (double room = kMostLines * width; room > width; room *= kLess) {
    lines.clear();
    for (const QString& name :
         elidedApart(names, metrics, QList<double>(names.size(), room)))
      lines << textLines(name, metrics, width);
    if (std::ranges::all_of(lines, isLow)) break;
  }
  return lines;
}

}  // namespace

void RunNameDelegate::initStyleOption(QStyleOptionViewItem* option,
                                      const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const QStyle* style = option->widget ? option->widget->style() : QApplication::style();
  const int width =
      style->subElementRect(QStyle::SE_ItemViewItemText, option, option->widget).width() -
      2 * style->pixelMetric(QStyle::PM_FocusFrameHMargin, option, option->widget);
  if (width <= 0) return;
  QFont font = option->font;
  font.setBold(true);  // as that of the run on display
  const QStringList names = namesOf(index);
  if (names != m_names || width != m_width || font != m_font) {
    m_names = names;
    m_width = width;
    m_font = font;
    m_lines = linesOf(names, QFontMetricsF(font), width);
  }
  option->text = m_lines.value(index.row()).join(QChar::LineSeparator);
}

}  // namespace equipatch
