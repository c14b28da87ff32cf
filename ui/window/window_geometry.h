// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace equipatch {

/// Resizes a top-level window to `usual`, or to as much of it as the screen has room for.
void resizeWithinScreen(QWidget& window, QSize usual);

/// Shrinks a top-level window that is larger than its screen, but not below the window's
/// minimum size. Call it once the window is shown: Qt may make a window taller for a text
/// that wraps, and does not undo this when the text turns out to need less height.
void shrinkToScreen(QWidget& window);

/// Restores what QWidget::saveGeometry() saved, then moves and shrinks the window so that
/// all of it is on one screen. @returns false and changes nothing if `geometry` is empty
/// or damaged.
bool restoreWithinScreen(QWidget& window, const QByteArray& geometry);

/// Moves a top-level window to the left or the right of `kept` (in screen coordinates),
/// where there is more room. Resizes it to `usual`, or to as much of it as fits there.
void placeBeside(QWidget& window, const QRect& kept, QSize usual);

}  // namespace equipatch
