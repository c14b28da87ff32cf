#include "ui/inspect/choice_delegate.h"

#include <QPainter>
#include <algorithm>

#include "ui/chart/number_text.h"
#include "ui/inspect/choice_model.h"

namespace equipatch {
namespace {

constexpr int kChoiceMargin = 4;
constexpr int kBarHeight = 3;

QColor colourOf(int column, const Colours& colours) {
  if (column == ChoiceModel::Bare) return colours.bare;
  if (column == ChoiceModel::Part) return colours.accent;
  return column == ChoiceModel::Patched ? colours.patched : colours.distribution;
}

}  // namespace

ChoiceDelegate::ChoiceDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent), m_theme(theme) {}

int ChoiceDelegate::rowHeight(const QFontMetrics& metrics) {
  return metrics.height() + kBarHeight + 5;
}

QRectF ChoiceDelegate::bar(const QRectF& cell, double probability) {
  const double full = cell.width() - 2 * kChoiceMargin;
  return {cell.left() + kChoiceMargin, cell.bottom() - kBarHeight - 1,
          full * std::clamp(probability, 0.0, 1.0), kBarHeight};
}

void ChoiceDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
  const QVariant probability = index.data(ChoiceModel::ProbabilityRole);
  if (!probability.isValid()) return;
  const Colours& c = m_theme.colours();
  painter->save();
  if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, c.raised);
  if (option.state & QStyle::State_HasFocus) {
    painter->setPen(QPen(c.accent, 1.0));
    painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
  }
  painter->setFont(option.font);
  const int pass = index.data(ChoiceModel::PassRole).toInt();
  painter->fillRect(bar(option.rect, probability.toDouble()), colourOf(pass, c));
  const QRect text = option.rect.adjusted(kChoiceMargin, 0, -kChoiceMargin, -kBarHeight);
  const QString percent = shortPercentText(probability.toDouble());
  painter->setPen(c.muted);
  painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, percent);
  const int room =
      text.width() - option.fontMetrics.horizontalAdvance(percent) - kChoiceMargin;
  const bool differs = index.data(ChoiceModel::DiffersRole).toBool();
  const bool claims = pass == ChoiceModel::Patched || pass == ChoiceModel::Part;
  const bool mismatch = differs && index.row() == 0 && claims;
  QString token = index.data(Qt::DisplayRole).toString();
  if (mismatch) token.prepend(QStringLiteral("✗ "));
  painter->setPen(mismatch ? c.mismatch : c.text);
  QFont font = option.font;
  font.setItalic(differs);
  painter->setFont(font);
  painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                    option.fontMetrics.elidedText(token, Qt::ElideRight, room));
  painter->restore();
}

QSize ChoiceDelegate::sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex&) const {
  return {80, rowHeight(option.fontMetrics)};
}

}  // namespace equipatch
