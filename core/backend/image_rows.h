// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/model/transformer.h"
#include "core/model/vision_tower.h"
#include "core/record/prompt_image.h"
#include "core/run/session.h"

namespace equipatch {

/// Accepts an empty list for every model.
/// @throws Error{BadInput} unless the model takes images, each image has as many tokens
/// as the model expects, and the images are in order, do not overlap and end before
/// position `contextLength`
void checkImages(const Session& session, std::size_t contextLength,
                 const std::vector<PromptImage>& images);

/// The vision tower's rows for the images, at the images' positions. Computes only the
/// rows that the session lacks, and keeps them there (TorchSession::keepRows). The
/// tower's weights are in memory only during this computation.
/// @throws Error{BadInput} if there are images but the model takes none; Error for a
/// picture that is missing or cannot be decoded, and as VisionTower
GivenRows imageRows(const Session& session, const std::vector<PromptImage>& images,
                    Progress& progress);

/// Divides the progress of work on a prompt between its images' rows and what follows.
struct PromptProgress {
  /// @param whole outlives this
  /// @param end the fraction of `whole` at which `rest` ends
  PromptProgress(Progress& whole, const std::vector<PromptImage>& promptImages,
                 double end = 1.0)
      : images(whole, 0.0, promptImages.empty() ? 0.0 : 0.3),
        rest(whole, promptImages.empty() ? 0.0 : 0.3, end) {}

  PartialProgress images;  ///< for imageRows
  PartialProgress rest;
};

/// As `imageRows`, but computes every image's rows again and does not keep them. For each
/// image, passes `hooks` the pixels ("pixel_values" [3, imageSize, imageSize]) and the
/// tower's sites.
GivenRows tracedImageRows(const Session& session, const std::vector<PromptImage>& images,
                          TowerHooks& hooks, Progress& progress);

}  // namespace equipatch
