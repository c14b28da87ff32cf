#pragma once

#include <QPainter>
#include <QRectF>

namespace equipatch {

/// Which ends of a kept stretch a part of it has.
enum class BracketEnds { Both, Left, Right, None };

BracketEnds bracketEnds(bool begins, bool ends);

/// What marks kept tokens wherever they are shown: a bracket that lies under them, along
/// the lower edge of `place`.
void drawKeptBracket(QPainter& painter, const QRectF& place, BracketEnds ends,
                     const QColor& colour);

}  // namespace equipatch
