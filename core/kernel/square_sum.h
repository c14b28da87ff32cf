#pragma once

#include "core/kernel/weight_products.h"

namespace equipatch {

/// Σ W², squared and added in double whatever the dtype, so that neither the squares nor
/// their sum leave its range. The same for any number of threads.
double squareSum(const WeightMatrix& W);

}  // namespace equipatch
