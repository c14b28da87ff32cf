#pragma once

#include <vector>

namespace equipatch {

/// The values without those that are no numbers, ascending.
std::vector<double> sortedNumbers(std::vector<double> values);

}  // namespace equipatch
