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

/// For an experiment: the program, and the experiment's settings and key values.
std::string provenanceJson(const LabResult& result);

/// All values of a figure as JSON. A value that is not finite is null; pictures have
/// their names and sizes only. `figure.provenance` must be set.
std::string figureJson(const Figure& figure);

}  // namespace equipatch
