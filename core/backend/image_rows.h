// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/model/transformer.h"
#include "core/model/vision_tower.h"
#include "core/record/prompt_image.h"
#include "core/run/session.h"

namespace equipatch {

/// @throws Error{BadInput} when the model takes no images, or not at these positions.
void checkImages(const Session& session, std::size_t promptLength,
                 const std::vector<PromptImage>& images);

/// The rows that the session's vision tower computes from the images, at their positions.
/// The rows of an image that the session has read before are not computed again; the
/// tower's weights are read if there is a new image, and freed afterwards.
/// @throws Error for an image that cannot be decoded; Error{Cancelled}.
GivenRows imageRows(const Session& session, const std::vector<PromptImage>& images,
                    Progress& progress);

/// Computes the same rows for every image, even if the session has them already, and
/// passes `hooks` the pixels ("pixel_values") and the tower's sites.
GivenRows tracedImageRows(const Session& session, const std::vector<PromptImage>& images,
                          TowerHooks& hooks);

}  // namespace equipatch
