#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/record/shared_patch_record.h"
#include "core/run/session.h"
#include "core/run/comparison.h"

namespace equipatch {

/// Builds one set of patched weights that is exact for all these tokens, and checks it by
/// a plain forward over them without the context (docs/maths.md). One thread at a time.
class SharedPatchRun {
 public:
  /// @throws Error{BadInput} when positions do not fit prompt and model.
  SharedPatchRun(std::shared_ptr<const Session> session, SharedPatchRequest request);
  ~SharedPatchRun();

  /// @throws Error{BadInput} naming layer and matrix where no such weights exist;
  ///         Error{Cancelled} when asked to stop.
  SharedPatchRecord run(Progress& progress);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace equipatch
