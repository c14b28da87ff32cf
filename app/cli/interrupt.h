#pragma once

#include <functional>
#include <thread>

namespace equipatch::cli {

/// While it lives, the first Ctrl-C (or SIGTERM) calls `onFirst` on a thread of its own;
/// the second ends the program at once. One at a time.
class Interrupt {
 public:
  explicit Interrupt(std::function<void()> onFirst);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  std::thread m_watcher;
};

}  // namespace equipatch::cli
