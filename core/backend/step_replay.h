#pragma once

#include <memory>

#include "core/run/comparison.h"
#include "core/run/session.h"

namespace equipatch {

/// Keeps a context of its own, and the session while it lives.
std::shared_ptr<StepReplay> makeStepReplay(std::shared_ptr<const Session> session);

}  // namespace equipatch
