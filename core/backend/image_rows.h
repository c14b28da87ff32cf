// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/model/transformer.h"
#include "core/model/vision_tower.h"
#include "core/record/prompt_image.h"
#include "core/run/session.h"

namespace equipatch {

/// Checks that the model takes images, that each image has as many tokens as the model
/// expects, and that the images are in order, do not overlap and end before position
/// `contextLength`. Accepts an empty list.
/// @throws Error{BadInput} if not
void checkImages(const Session& session, std::size_t contextLength,
                 const std::vector<PromptImage>& images);

/// The rows that the session's vision tower computes from the images, at their positions.
/// The session keeps the rows of images (TorchSession::keepRows). If it lacks those of an
/// image, reads the tower's weights, computes the rows, and frees the weights afterwards.
/// @throws Error{BadInput} when the model takes no images; Error for an image that cannot
///         be decoded, and as VisionTower::rows.
GivenRows imageRows(const Session& session, const std::vector<PromptImage>& images,
                    Progress& progress);

/// Computes the same rows for every image, even if the session keeps them. Passes `hooks`
/// the pixels ("pixel_values" [3, imageSize, imageSize]) and the tower's sites, image by
/// image.
GivenRows tracedImageRows(const Session& session, const std::vector<PromptImage>& images,
                          TowerHooks& hooks, Progress& progress);

}  // namespace equipatch
