// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/record/patch_factors.h"
#include "core/record/run_record.h"

namespace equipatch {

class Checkpoint;
class Session;

/// Hashes of all tensor files of the checkpoint; empty for random weights. Reads at most
/// 16 MiB of each file's data.
/// @throws Error{BadInput} for a file that cannot be read any more
std::vector<TensorFileHash> tensorFileHashes(const Checkpoint& checkpoint);

/// Program, machine and weights of a run that starts now. Loads the backend.
/// @throws as `backend`; with a checkpoint also as `tensorFileHashes`
Provenance provenanceOf(const Session& session);
Provenance provenanceOf(const Checkpoint& checkpoint);

/// The header of a run that starts now. @throws as `provenanceOf`.
RunHeader headerOf(const Session& session, RunRequest request);

/// The differences in weights, program and machine, one clause per difference, such as
/// "config.json differs".
std::vector<std::string> differences(const Provenance& then, const Provenance& now);

/// Every parameter that a patch of the session's model may change, by layer.
std::vector<PatchedParameter> patchedParameters(const Session& session);

}  // namespace equipatch
