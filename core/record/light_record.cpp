#include "core/record/light_record.h"

namespace equipatch {

std::shared_ptr<const StepRecord> withoutVectors(const StepRecord& step) {
  auto light = std::make_shared<StepRecord>(step);
  for (LayerRecord& layer : light->layers) layer.scaleDelta = {};
  light->factors = nullptr;
  return light;
}

}  // namespace equipatch
