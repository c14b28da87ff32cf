// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/record/lab_result.h"

namespace equipatch::test {

using Changes = std::map<std::string, std::string>;

/// A model so small that a test may train it, in float64.
Changes tiny();

/// Runs an experiment to its end on this thread. @throws its Error.
LabResult runLab(const std::string& experiment, const Changes& changes,
                 std::uint64_t seed = 1);

/// @throws std::out_of_range when there is none of that name.
double scalar(const LabResult& result, const std::string& name);
const LabPanel& panel(const LabResult& result, const std::string& title);

/// "" when all panels have curves or a map, with as many values as places, and finite;
/// otherwise what is wrong.
std::string panelProblem(const LabResult& result);

}  // namespace equipatch::test
