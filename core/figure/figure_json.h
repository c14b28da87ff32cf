#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/figure/figure.h"
#include "core/record/lab_result.h"
#include "core/record/run_record.h"

namespace equipatch {

/// Where a figure's numbers come from, as JSON: the program and, a run after another,
/// every setting of it.
std::string provenanceJson(const std::vector<std::shared_ptr<const RunHeader>>& headers);

/// The same of an experiment: how it was done, and its key numbers.
std::string provenanceJson(const LabResult& result);

/// All numbers of a figure: what stands beside every figure as NAME.json. Numbers that
/// are not finite are null.
std::string figureJson(const Figure& figure);

}  // namespace equipatch
