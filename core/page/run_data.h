// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/page/page_run.h"
#include "core/page/page_values.h"
#include "core/page/page_writer.h"
#include "core/record/verdict.h"

namespace equipatch {

/// Writes a run in the form that resources/page/*.js read. The run must have at least one
/// step. @param bins as for writeScaleMap
void writeRun(const PageRun& run, int bins, PageWriter& writer);

/// The prompt: its tokens as [text, id, flags] and its images. `flags` is a sum: 1 for a
/// special token, 2 for a kept token, 4 for a token of an image, 8 for the newest token,
/// which never counts as kept.
PageObject promptData(const RunRequest& request);

/// An image of a prompt: name, first and last position, and either the picture's file as
/// a data: URI with width and height, or the reason why the picture is missing. Only a
/// file that decodes as PNG, JPEG or WebP is embedded.
PageObject pictureData(const PromptImage& image);

/// One step without its charts. @param floor the noise floor of the whole run
PageObject stepData(const RunHeader& header, const StepRecord& step,
                    const NoiseFloor& floor);

}  // namespace equipatch
