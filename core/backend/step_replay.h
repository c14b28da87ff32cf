// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/run/comparison.h"
#include "core/run/session.h"

namespace equipatch {

/// See Backend::makeStepReplay.
std::shared_ptr<StepReplay> makeStepReplay(std::shared_ptr<const Session> session);

}  // namespace equipatch
