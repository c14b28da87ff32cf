#include "core/base/reading_ahead.h"

#include <unistd.h>

#include "core/base/free_memory.h"

namespace equipatch {
namespace {

using Files = std::vector<std::shared_ptr<const FileMap>>;

bool fitsInMemory(const Files& files) {
  std::size_t bytes = 0;
  for (const auto& file : files) bytes += file->bytes().size();
  const auto free = freeMemory();
  return free && bytes <= static_cast<std::size_t>(*free) / 2;
}

/// Reading one byte of a page fetches the page, and more where the system reads ahead.
void touch(std::span<const std::byte> bytes, const std::stop_token& stop) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (std::size_t at = 0; at < bytes.size() && !stop.stop_requested(); at += page)
    static_cast<void>(*static_cast<const volatile std::byte*>(&bytes[at]));
}

}  // namespace

ReadingAhead::ReadingAhead(Files files) {
  std::erase_if(files, [](const auto& file) { return file->path().empty(); });
  if (files.empty() || !fitsInMemory(files)) return;
  m_thread = std::jthread([files = std::move(files)](const std::stop_token& stop) {
    for (const auto& file : files) touch(file->bytes(), stop);
  });
}

void ReadingAhead::wait() {
  if (m_thread.joinable()) m_thread.join();
}

}  // namespace equipatch
