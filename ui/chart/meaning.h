// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace equipatch {

/// What a word of the window means, the glossary's sentence; empty where it has none.
/// Words may come as labels: "KL, nats", "‖ΔW gate‖", "ε of bfloat16".
QString meaningOf(const QString& label);

}  // namespace equipatch
