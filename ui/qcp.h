// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one place that includes QCustomPlot: its header needs Qt's lower-case keywords,
// which the window's code disables (QT_NO_KEYWORDS, because libtorch has members of those
// names).
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach
