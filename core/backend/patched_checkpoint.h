#pragma once

#include "core/base/progress.h"
#include "core/run/patched_checkpoint.h"

namespace equipatch {

/// Writes a whole checkpoint in Hugging Face layout with the patched weights: W + u wᵀ
/// rounded to the dtype, m', b'. Everything else is copied; the original's README.md as
/// README.original.md, because it speaks of other weights. Tensors go through memory one
/// by one; long for large models.
/// @param folder is made; one that exists must be empty.
/// @throws Error{BadInput} when it is not; Error{Resource} when the disk refuses;
///         Error{Cancelled} when asked to stop, what was written stays.
void savePatched(const PatchedCheckpoint& patched, const std::filesystem::path& folder,
                 Progress& progress);

}  // namespace equipatch
