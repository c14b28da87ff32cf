// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/step_record.h"

namespace equipatch {

std::shared_ptr<const StepRecord> withoutVectors(const StepRecord& step) {
  auto light = std::make_shared<StepRecord>(step);
  // Assigning {} would empty the vector and keep its memory.
  for (LayerRecord& layer : light->layers) std::vector<float>().swap(layer.scaleDelta);
  light->factors = nullptr;
  return light;
}

}  // namespace equipatch
