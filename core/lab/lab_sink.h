#pragma once

#include <memory>

#include "core/record/lab_result.h"

namespace equipatch {

/// Hears what an experiment has found so far, each time whole, the last with `finished`
/// set. On the worker's thread; may only store or forward.
class LabSink {
 public:
  virtual ~LabSink() = default;
  virtual void labUpdated(std::shared_ptr<const LabResult> result) = 0;
};

}  // namespace equipatch
