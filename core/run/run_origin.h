#pragma once

#include <string>
#include <vector>

#include "core/record/provenance.h"

namespace equipatch {

class Session;

/// Here and now.
Provenance provenanceOf(const Session& session);

/// What of weights, program or machine differs, a clause each: "config.json is another
/// one", "6 threads instead of 2". The start time does not count.
std::vector<std::string> differences(const Provenance& then, const Provenance& now);

}  // namespace equipatch
