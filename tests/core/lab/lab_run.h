// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/record/lab_result.h"

namespace equipatch::test {

using Changes = std::map<std::string, std::string>;

/// Settings of a float64 model that is small enough to be trained in a test.
Changes tiny();

/// Runs an experiment's quick preset with `changes`, to its end on this thread.
/// @throws the experiment's Error
LabResult runLab(const std::string& experiment, const Changes& changes,
                 std::uint64_t seed = 1);

/// @throws std::out_of_range if the result has no scalar or panel of this name
double scalar(const LabResult& result, std::string_view name);
const LabPanel& panel(const LabResult& result, std::string_view title);

/// "" if there are panels, and each has curves or a map with one finite value per point.
/// Otherwise says which panel is wrong.
std::string panelProblem(const LabResult& result);

}  // namespace equipatch::test
