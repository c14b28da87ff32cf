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

/// Settings of a model so small that a test may train it, in float64.
Changes tiny();

/// Runs an experiment to its end on this thread. @throws the experiment's Error.
LabResult runLab(const std::string& experiment, const Changes& changes,
                 std::uint64_t seed = 1);

/// A scalar or panel of the result.
/// @throws std::out_of_range if the result has nothing of this name
double scalar(const LabResult& result, std::string_view name);
const LabPanel& panel(const LabResult& result, std::string_view title);

/// "" if every panel has curves or a map, with one finite value for each place;
/// otherwise what is wrong.
std::string panelProblem(const LabResult& result);

}  // namespace equipatch::test
