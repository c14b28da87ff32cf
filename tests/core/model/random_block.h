#pragma once

#include "core/checkpoint/spec.h"
#include "core/model/weights.h"
#include "tests/core/model/eigen_tensor.h"

namespace equipatch::test {

/// A model of one layer that is small, and of which nothing is a multiple of anything.
ModelSpec smallSpec();

/// Random weights of whatever the spec says a layer has.
LayerWeights randomWeights(const ModelSpec& spec, const Arithmetic& arithmetic);

}  // namespace equipatch::test
