// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace equipatch {

/// Gives a top-level window its usual size, or as much of it as its screen has room for.
void resizeWithinScreen(QWidget& window, QSize usual);

/// Makes a top-level window that is larger than its screen as small as needed, down to
/// its least size. Call it once the window is shown: a text that wraps may need less
/// height once its width is known, and Qt does not shrink a window that grew for it.
void shrinkToScreen(QWidget& window);

/// Restores what QWidget::saveGeometry() saved, fitted to the present screens, so that
/// the whole window is on one of them. @returns false and changes nothing if `geometry`
/// is empty or damaged.
bool restoreWithinScreen(QWidget& window, const QByteArray& geometry);

/// Moves a top-level window beside the rectangle `kept` of the screen, on the side that
/// has more room. The window gets its usual size, or a smaller one that fits there.
void placeBeside(QWidget& window, const QRect& kept, QSize usual);

}  // namespace equipatch
