// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace equipatch {

/// Lets Tab go through these parts of a window in this order, within each part in the
/// order that it has.
void chainTabs(const QWidgetList& parts);

/// True if a widget's dock is open, but behind another tab.
bool isBehindTab(const QWidget& widget);

}  // namespace equipatch
