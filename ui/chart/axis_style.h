#pragma once

#include <QFont>

#include "ui/chart/theme.h"
#include "ui/qcp.h"

namespace equipatch {

/// Gives an axis and its grid the theme's colours and a slightly smaller font.
void styleAxis(QCPAxis& axis, const Colours& colours, const QFont& font);

}  // namespace equipatch
