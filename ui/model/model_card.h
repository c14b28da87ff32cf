#pragma once

#include <QString>

#include "ui/run/engine.h"

namespace equipatch {

/// A loaded model in a few lines: architecture, size, dtype, and what was left unread.
QString modelCard(const LoadedModel& model);

}  // namespace equipatch
