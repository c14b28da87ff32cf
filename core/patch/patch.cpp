#include "core/patch/patch.h"

#include <algorithm>

namespace equipatch {

const RankOne* LayerPatch::find(MatrixId matrix) const {
  const auto found =
      std::find_if(matrices.begin(), matrices.end(),
                   [&](const MatrixPatch& patch) { return patch.matrix == matrix; });
  return found == matrices.end() ? nullptr : &found->change;
}

}  // namespace equipatch
