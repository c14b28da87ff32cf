#include "core/run/step_record.h"

#include <algorithm>

namespace equipatch {

const MatrixPatchNorm* LayerRecord::find(const std::string& matrix) const {
  const auto found =
      std::find_if(matrices.begin(), matrices.end(),
                   [&](const MatrixPatchNorm& norm) { return norm.matrix == matrix; });
  return found == matrices.end() ? nullptr : &*found;
}

}  // namespace equipatch
