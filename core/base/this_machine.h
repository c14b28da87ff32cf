#pragma once

#include <string>

namespace equipatch {

/// The processor as the system names it; empty where the system does not tell.
std::string processorName();

/// "2026-11-21T08:30:00Z".
std::string utcNow();

}  // namespace equipatch
