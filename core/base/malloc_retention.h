#pragma once

namespace equipatch {

/// While one lives, the process keeps the memory it frees instead of handing it back to
/// the system. Tensors of many megabytes that come and go with each training step, or
/// each layer of a long prompt, otherwise ask for cleared pages again and again, which
/// took a third of a stacked model's training. Any number may live, on any threads. Where
/// the C library has no such setting, nothing changes.
class MallocRetention {
 public:
  MallocRetention();
  ~MallocRetention();
  MallocRetention(const MallocRetention&) = delete;
  MallocRetention& operator=(const MallocRetention&) = delete;
};

}  // namespace equipatch
