#pragma once

#include <QPainter>
#include <QRectF>

namespace equipatch {

/// The ends of a bracket that a part of a kept stretch contains.
enum class BracketEnds { Both, Left, Right, None };

BracketEnds bracketEnds(bool begins, bool ends);

/// Draws the bracket under kept tokens, along the lower edge of `place`.
void drawKeptBracket(QPainter& painter, const QRectF& place, BracketEnds ends,
                     const QColor& colour);

}  // namespace equipatch
