// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/page/page_run.h"
#include "core/page/page_values.h"
#include "core/page/page_writer.h"
#include "core/record/verdict.h"

namespace equipatch {

/// Writes all that a page shows of a run with at least one step, as resources/page/*.js
/// read it. @param bins parts into which its Δm maps pool each layer's channels
void writeRun(const PageRun& run, int bins, PageWriter& writer);

/// The prompt: its tokens as [text, id, flags] and its images. `flags` is a sum: 1 for a
/// special token, 2 for a kept token, 4 for a token of an image, 8 for the newest token,
/// which never counts as kept.
PageObject promptData(const RunRequest& request);

/// An image of a prompt: its name, its first and last position, and its picture. The
/// picture is the bytes of its file as a data: URI, with width and height, or the reason
/// why it is missing. Only a file that decodes as PNG, JPEG or WebP is passed on.
PageObject pictureData(const PromptImage& image);

/// One step: tokens, candidates, distances, sentences and each layer's numbers.
/// @param floor the noise floor of the whole run
PageObject stepData(const RunHeader& header, const StepRecord& step,
                    const NoiseFloor& floor);

}  // namespace equipatch
