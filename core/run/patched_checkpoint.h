// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/dtype.h"
#include "core/record/patch_factors.h"

namespace equipatch {

class Checkpoint;

/// A patch to be stored in the weights of a checkpoint.
struct PatchedCheckpoint {
  const Checkpoint& original;
  /// The patch by layer. If a matrix occurs more than once, its changes are added.
  const PatchFactors& factors;
  DType dtype = DType::F32;  ///< of all tensors that are written
  /// Position of the patch's first token. Learned position embeddings are moved, so that
  /// the patch's tokens can be run from position 0 on.
  std::int64_t firstPosition = 0;
  std::int64_t tokens = 1;
  std::string note;  ///< text of its README.md
};

/// Makes the folder for a checkpoint; call it before a long run.
/// @throws Error{BadInput} when it exists and is not empty; Error{Resource} when it
/// cannot be made.
void makeNewFolder(const std::filesystem::path& folder);

}  // namespace equipatch
