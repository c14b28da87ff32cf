// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace equipatch {

// Exit codes of both programs besides 0.

constexpr int kExitFailed = 1;
constexpr int kExitMisused = 2;  ///< the command line itself is wrong

}  // namespace equipatch
