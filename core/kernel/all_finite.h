#pragma once

#include <span>

namespace equipatch {

/// Whether none is infinite or not a number.
bool allFinite(std::span<const float> numbers);
bool allFinite(std::span<const double> numbers);

}  // namespace equipatch
