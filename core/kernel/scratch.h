#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace equipatch {

/// Uninitialised memory aligned to a cache line that is kept from use to use and only
/// grows. Meant to be thread_local, so that small products cost no allocation.
class Scratch {
 public:
  template <typename T>
  T* of(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes > m_bytes) {
      m_memory.reset();
      m_bytes = 0;
      m_memory.reset(static_cast<std::byte*>(::operator new(bytes, kAlignment)));
      m_bytes = bytes;
    }
    return reinterpret_cast<T*>(m_memory.get());
  }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }
  };

  std::unique_ptr<std::byte, Free> m_memory;
  std::size_t m_bytes = 0;
};

}  // namespace equipatch
