#include "app/cli/interrupt.h"

#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <utility>

namespace equipatch::cli {

namespace {

// A handler may only touch lock-free atomics and post a semaphore.
std::atomic<int> signalCount = 0;
sem_t wake;

extern "C" void onSignal(int signal) {
  if (signalCount.fetch_add(1) > 0) _exit(128 + signal);
  sem_post(&wake);
}

void handle(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt(std::function<void()> onFirst) {
  signalCount = 0;
  sem_init(&wake, 0, 0);
  m_watcher = std::thread([onFirst = std::move(onFirst)] {
    while (sem_wait(&wake) != 0 && errno == EINTR) {
    }
    if (signalCount > 0) onFirst();
  });
  handle(onSignal);
}

Interrupt::~Interrupt() {
  handle(SIG_DFL);
  sem_post(&wake);
  m_watcher.join();
  sem_destroy(&wake);
}

}  // namespace equipatch::cli
