// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/figure/figure.h"
#include "core/record/lab_result.h"
#include "core/record/run_record.h"

namespace equipatch {

/// The origin of a figure's values as JSON: the program, and every setting of each run.
std::string provenanceJson(const std::vector<std::shared_ptr<const RunHeader>>& headers);

/// For an experiment: the program, and the result without its panels and picture.
std::string provenanceJson(const LabResult& result);

/// The values that a figure draws, as JSON. A value that is not finite is null; a picture
/// has only its name and size. `figure.provenance` must be set.
std::string figureJson(const Figure& figure);

}  // namespace equipatch
