// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/page/page_run.h"
#include "core/page/page_values.h"
#include "core/page/page_writer.h"
#include "core/record/verdict.h"

namespace equipatch {

/// Writes all that a page shows of a run with at least one step, as resources/page/*.js
/// read it. @param bins parts in which its Δm maps show each layer
void writeRun(const PageRun& run, int bins, PageWriter& writer);

/// The prompt: its tokens as [text, id, flags] and its images. Flags are the sum of 1
/// special, 2 kept, 4 of an image, 8 the newest token, which never counts as kept.
PageObject promptData(const RunRequest& request);

/// An image of a prompt: its name, first and last position and, as a data: URI, the bytes
/// of its file with width and height; or why they are missing. Only files that decode as
/// PNG, JPEG or WebP are passed on.
PageObject pictureData(const PromptImage& image);

/// One step: tokens, candidates, distances, sentences and each layer's numbers.
/// @param floor the noise floor of the whole run
PageObject stepData(const RunHeader& header, const StepRecord& step,
                    const NoiseFloor& floor);

}  // namespace equipatch
