#pragma once

#include <string>
#include <vector>

#include "core/record/patch_factors.h"
#include "core/record/provenance.h"
#include "core/record/run_record.h"

namespace equipatch {

class Checkpoint;
class Session;

/// Here and now.
Provenance provenanceOf(const Session& session);
Provenance provenanceOf(const Checkpoint& checkpoint);

/// What is known of a run before its first step.
RunHeader headerOf(const Session& session, RunRequest request);

/// What of weights, program or machine differs, a clause each: "config.json is another
/// one", "6 threads instead of 2". The start time does not count.
std::vector<std::string> differences(const Provenance& then, const Provenance& now);

/// Every parameter that a patch of the session's model may change, layer by layer.
std::vector<PatchedParameter> patchedParameters(const Session& session);

}  // namespace equipatch
