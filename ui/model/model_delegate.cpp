#include "ui/model/model_delegate.h"

#include <QPainter>

#include "ui/model/model_items.h"

namespace equipatch {
namespace {

using model_items::Kind;

constexpr int kEntryMargin = 8;
constexpr int kTextGap = 12;  // between left and right texts
constexpr int kEntryPadding = 4;

Kind kindOf(const QModelIndex& index) {
  return Kind(index.data(model_items::KindRole).toInt());
}

/// Left and right text in one line; the right one is never cut.
void drawLine(QPainter& painter, const QRect& line, const QString& left,
              const QString& right) {
  const QFontMetrics metrics = painter.fontMetrics();
  const int rightWidth =
      right.isEmpty() ? 0 : metrics.horizontalAdvance(right) + kTextGap;
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(left, Qt::ElideMiddle, line.width() - rightWidth));
  painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, right);
}

QFont smaller(QFont font) {
  if (font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * 0.9);
  return font;
}

}  // namespace

QSize ModelDelegate::sizeHint(const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
  const int line = option.fontMetrics.height();
  switch (kindOf(index)) {
    case Kind::Heading:
      return {0, line + 2 * kEntryPadding};
    case Kind::Browse:
      return {0, line + 3 * kEntryPadding};
    case Kind::Model:
      break;
  }
  return {0, 2 * line + 2 * kEntryPadding + 2};
}

void ModelDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
  painter->save();
  const bool selected = option.state.testFlag(QStyle::State_Selected);
  const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
  const QPalette::ColorGroup group = enabled ? QPalette::Active : QPalette::Disabled;
  const QColor text =
      option.palette.color(group, selected ? QPalette::HighlightedText : QPalette::Text);
  const QColor muted =
      selected || !enabled ? text : option.palette.color(QPalette::PlaceholderText);
  painter->fillRect(option.rect,
                    selected ? option.palette.highlight() : option.palette.base());
  QRect inside =
      option.rect.adjusted(kEntryMargin, kEntryPadding, -kEntryMargin, -kEntryPadding);
  const Kind kind = kindOf(index);
  if (kind == Kind::Heading) {
    QFont font = smaller(option.font);
    font.setBold(true);
    painter->setFont(font);
    painter->setPen(option.palette.color(QPalette::PlaceholderText));
    painter->drawText(inside, Qt::AlignLeft | Qt::AlignBottom, index.data().toString());
  } else if (kind == Kind::Browse) {
    painter->setPen(option.palette.color(QPalette::Mid));
    painter->drawLine(option.rect.topLeft(), option.rect.topRight());
    painter->setPen(text);
    drawLine(*painter, inside, index.data().toString(), {});
  } else {
    const QRect first(inside.topLeft(), QSize(inside.width(), inside.height() / 2));
    const QRect second = first.translated(0, inside.height() / 2);
    painter->setFont(option.font);
    painter->setPen(text);
    drawLine(*painter, first, index.data().toString(),
             index.data(model_items::NeedRole).toString());
    painter->setFont(smaller(option.font));
    painter->setPen(muted);
    drawLine(*painter, second, index.data(model_items::FactsRole).toString(),
             index.data(model_items::BadgeRole).toString());
  }
  painter->restore();
}

}  // namespace equipatch
