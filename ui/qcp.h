// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one place that includes QCustomPlot: its header needs Qt's lower-case keywords,
// which the window's code and all tests disable (QT_NO_KEYWORDS), because core and
// libtorch, which some tests include beside Qt, have members of those names.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach
