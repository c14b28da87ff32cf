#pragma once

#include <QString>

#include "ui/run/engine.h"

namespace equipatch {

/// The name under which the card shows its block's picture.
inline constexpr QLatin1String kDiagram("block");

/// A loaded model in a few lines: architecture, size, dtype, and what was left unread.
QString modelSummary(const LoadedModel& model);

/// The architecture card, as rich text: the block in words, what becomes of each
/// parameter by which theorem, what is never changed and why, what was left unread. Names
/// from files are escaped.
/// @param parity of the architecture, in words; empty when it is not known
QString modelCard(const LoadedModel& model, const QString& parity);

}  // namespace equipatch
