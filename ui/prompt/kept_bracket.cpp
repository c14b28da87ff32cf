#include "ui/prompt/token_text.h"

namespace equipatch {
namespace {

constexpr qreal kThickness = 2.0;
constexpr qreal kEnd = 5.0;  // height of a bracket's end, pixels

}  // namespace

BracketEnds bracketEnds(bool begins, bool ends) {
  if (begins) return ends ? BracketEnds::Both : BracketEnds::Left;
  return ends ? BracketEnds::Right : BracketEnds::None;
}

void drawKeptBracket(QPainter& painter, const QRectF& place, BracketEnds ends,
                     const QColor& colour) {
  const QRectF lower(place.left(), place.bottom() - kThickness, place.width(),
                     kThickness);
  painter.fillRect(lower, colour);
  const QSizeF end(kThickness, kEnd);
  const qreal top = place.bottom() - kEnd;
  if (ends == BracketEnds::Both || ends == BracketEnds::Left)
    painter.fillRect(QRectF(QPointF(place.left(), top), end), colour);
  if (ends == BracketEnds::Both || ends == BracketEnds::Right)
    painter.fillRect(QRectF(QPointF(place.right() - kThickness, top), end), colour);
}

}  // namespace equipatch
