// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/step_passes.h"

namespace equipatch::test {

/// The patched pass's hidden error in each layer.
inline std::vector<double> hiddenErrorsOf(const PassResults& results) {
  std::vector<double> errors;
  for (const LayerDiagnostics& layer : results.diagnostics)
    errors.push_back(layer.record.hiddenError);
  return errors;
}

}  // namespace equipatch::test
