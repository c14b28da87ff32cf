#include "core/figure/statistics.h"

#include <algorithm>
#include <cmath>

namespace equipatch {

std::vector<double> sortedNumbers(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  std::ranges::sort(values);
  return values;
}

}  // namespace equipatch
