#include "core/base/progress.h"

#include "core/base/error.h"

namespace equipatch {

void Progress::throwIfStopped() const {
  if (stopRequested()) throw Error(ErrorKind::Cancelled, "stopped on request");
}

}  // namespace equipatch
