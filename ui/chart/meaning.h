// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace equipatch {

/// The glossary's sentence on the term in a label such as "KL, nats", "‖ΔW gate‖" or
/// "ε of bfloat16"; empty if the glossary lacks the term.
QString meaningOf(const QString& label);

}  // namespace equipatch
