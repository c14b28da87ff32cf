#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/dtype.h"
#include "core/record/patch_factors.h"

namespace equipatch {

class Checkpoint;

/// A patch that shall be stored in the weights themselves.
struct PatchedCheckpoint {
  const Checkpoint& original;
  /// By layer. A matrix may occur more than once: its changes are added up.
  const PatchFactors& factors;
  DType dtype = DType::F32;  ///< of all tensors that are written
  /// Where the tokens stand that the patch is for. Models with learned positions are
  /// given these rows as their first, so that the tokens may stand at the beginning.
  std::int64_t firstPosition = 0;
  std::int64_t tokens = 1;
  std::string note;  ///< what the weights are for, to be its README.md
};

/// Makes the folder for a checkpoint, so that a long run does not end at this.
/// @throws Error{BadInput} when it exists and is not empty; Error{Resource} when it
/// cannot be made.
void makeNewFolder(const std::filesystem::path& folder);

}  // namespace equipatch
