#pragma once

#include <QColor>
#include <QIcon>

namespace equipatch {

enum class TransportShape { Run, Pause, Step, Stop };

/// A transport symbol drawn in a theme's colours, with its disabled look.
QIcon transportIcon(TransportShape shape, const QColor& colour, const QColor& disabled);

}  // namespace equipatch
