// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/mapped_range.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

namespace equipatch {

/// The signal handler searches a list of entries. It may interrupt any thread anywhere,
/// so the list has no lock, and entries are reused but never freed.
struct MappedRange::Entry {
  std::atomic<bool> used{true};
  std::atomic<std::uintptr_t> begin{0}, end{0};
  std::atomic<bool> lost{false};
  Entry* next = nullptr;
};

namespace {

using Entry = MappedRange::Entry;

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free &&
              std::atomic<Entry*>::is_always_lock_free);

std::atomic<Entry*> firstEntry{nullptr};
struct sigaction handlerBefore = {};

void onBusError(int signal, siginfo_t* info, void*) {
  const bool isFault = info->si_code > 0;  // false for a signal from kill
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (Entry* entry = firstEntry; entry && isFault; entry = entry->next) {
    const std::uintptr_t begin = entry->begin, end = entry->end;
    if (address < begin || address >= end) continue;
    entry->lost = true;
    const int code = errno;
    void* const zeros =
        ::mmap(reinterpret_cast<void*>(begin), end - begin, PROT_READ,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    errno = code;
    if (zeros != MAP_FAILED) return;  // the instruction runs again and reads zeros
  }
  // From here on, the previous handler gets every SIGBUS. A faulting instruction runs
  // again and causes its signal once more; a signal from kill must be raised again.
  ::sigaction(signal, &handlerBefore, nullptr);
  if (!isFault) ::raise(signal);
}

bool installHandler() {
  struct sigaction action = {};
  action.sa_sigaction = onBusError;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  return ::sigaction(SIGBUS, &action, &handlerBefore) == 0;
}

Entry* takeEntry() {
  for (Entry* entry = firstEntry; entry; entry = entry->next)
    if (bool used = false; entry->used.compare_exchange_strong(used, true)) return entry;
  auto* entry = new Entry();
  entry->next = firstEntry;
  while (!firstEntry.compare_exchange_weak(entry->next, entry)) {
  }
  return entry;
}

}  // namespace

MappedRange::MappedRange(std::span<const std::byte> bytes) {
  [[maybe_unused]] static const bool kInstalled = installHandler();
  if (bytes.empty()) return;
  m_entry = takeEntry();
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  m_entry->lost = false;
  m_entry->begin = begin;
  m_entry->end = begin + bytes.size();
}

MappedRange::~MappedRange() {
  if (!m_entry) return;
  m_entry->end = 0;
  m_entry->begin = 0;
  m_entry->used = false;
}

MappedRange::MappedRange(MappedRange&& other) noexcept
    : m_entry(std::exchange(other.m_entry, nullptr)) {}

MappedRange& MappedRange::operator=(MappedRange&& other) noexcept {
  std::swap(m_entry, other.m_entry);
  return *this;
}

bool MappedRange::lostPages() const {
  return m_entry && m_entry->lost;
}

}  // namespace equipatch
