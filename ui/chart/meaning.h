// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace equipatch {

/// The glossary's sentence on a word of the window; empty where it has none. Words may
/// come as labels: "KL, nats", "‖ΔW gate‖", "ε of bfloat16".
QString meaningOf(const QString& label);

}  // namespace equipatch
