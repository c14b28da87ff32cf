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

/// Runs an experiment to its end on this thread. @throws its Error.
LabResult runLab(const std::string& experiment, const Changes& changes,
                 std::uint64_t seed = 1);

/// A scalar or panel of the result.
/// @throws std::out_of_range when it has none of this name
double scalar(const LabResult& result, std::string_view name);
const LabPanel& panel(const LabResult& result, std::string_view title);

/// "" when every panel has curves or a map whose values are finite and as many as their
/// places; otherwise what is wrong.
std::string panelProblem(const LabResult& result);

}  // namespace equipatch::test
