// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/thread_pool.h"

#include <system_error>

namespace equipatch {
namespace {

// Products follow each other within tens of microseconds, or hundreds when a patch is
// made between them, and waking a thread takes as long. So a waiting thread spins this
// often (about half a millisecond) before it sleeps.
constexpr int kSpins = 20'000;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

ThreadPool& ThreadPool::instance() {
  static ThreadPool pool;
  return pool;
}

void ThreadPool::run(int helpers, std::uint32_t chunks, const Body& body) {
  if (helpers < 1 || chunks < 2 || m_busy.test_and_set(std::memory_order_acquire)) {
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) body(chunk);
    return;
  }
  setHelpers(helpers);
  m_body = &body;
  m_chunks = chunks;
  m_done.store(0, std::memory_order_relaxed);
  const std::uint64_t call = (m_ticket.load(std::memory_order_relaxed) >> 32) + 1;
  m_ticket.store(call << 32 | chunks, std::memory_order_release);
  m_calls.fetch_add(1, std::memory_order_release);
  m_calls.notify_all();
  while (takeChunk()) continue;
  awaitChunks();
  m_busy.clear(std::memory_order_release);
}

bool ThreadPool::takeChunk() {
  std::uint64_t ticket = m_ticket.load(std::memory_order_relaxed);
  do {
    if (static_cast<std::uint32_t>(ticket) == 0) return false;
  } while (!m_ticket.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acquire,
                                           std::memory_order_relaxed));
  (*m_body)(m_chunks - static_cast<std::uint32_t>(ticket));
  m_done.fetch_add(1, std::memory_order_release);
  m_done.notify_one();
  return true;
}

void ThreadPool::awaitChunks() const {
  int spins = 0;
  std::uint32_t done = 0;
  while ((done = m_done.load(std::memory_order_acquire)) != m_chunks) {
    if (++spins < kSpins) {
      relax();
    } else {
      m_done.wait(done, std::memory_order_acquire);
    }
  }
}

void ThreadPool::help() {
  while (true) {
    const std::uint32_t calls = m_calls.load(std::memory_order_acquire);
    if (m_stopping.load(std::memory_order_relaxed)) return;
    while (takeChunk()) continue;
    for (int spins = 0; spins < kSpins; ++spins) {
      if (m_calls.load(std::memory_order_relaxed) != calls) break;
      relax();
    }
    m_calls.wait(calls, std::memory_order_acquire);
  }
}

void ThreadPool::setHelpers(int count) {
  if (std::ssize(m_helpers) == count) return;
  m_stopping.store(true, std::memory_order_relaxed);
  m_calls.fetch_add(1, std::memory_order_release);
  m_calls.notify_all();
  m_helpers.clear();  // joins
  m_stopping.store(false, std::memory_order_relaxed);
  try {
    while (std::ssize(m_helpers) < count) m_helpers.emplace_back([this] { help(); });
  } catch (const std::system_error&) {
    // The system has no more threads; those that exist and the caller do the work.
  }
}

}  // namespace equipatch
