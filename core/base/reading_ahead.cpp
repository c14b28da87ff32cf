#include "core/base/reading_ahead.h"

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <system_error>

namespace equipatch {
namespace {

std::size_t sizeOf(const std::vector<FilePart>& parts) {
  std::size_t bytes = 0;
  for (const FilePart& part : parts) bytes += part.bytes.size();
  return bytes;
}

bool liesBefore(const FilePart& a, const FilePart& b) {
  if (a.file != b.file) return a.file->path() < b.file->path();
  return std::less<>()(a.bytes.data(), b.bytes.data());
}

bool startAlike(const FilePart& a, const FilePart& b) {
  return a.bytes.data() == b.bytes.data();
}

/// Reading one byte of a page fetches the page, and more where the system reads ahead.
void touch(std::span<const std::byte> bytes, const std::stop_token& stop) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (std::size_t at = 0; at < bytes.size() && !stop.stop_requested(); at += page)
    static_cast<void>(*static_cast<const volatile std::byte*>(&bytes[at]));
}

}  // namespace

ReadingAhead::ReadingAhead(std::vector<FilePart> parts,
                           std::optional<std::int64_t> freeBytes) {
  std::ranges::sort(parts, liesBefore);
  // Several weights may be parts of one tensor.
  const auto again = std::ranges::unique(parts, startAlike);
  parts.erase(again.begin(), again.end());
  if (!freeBytes || sizeOf(parts) > static_cast<std::size_t>(*freeBytes) / 2) return;
  try {
    m_thread = std::jthread([parts = std::move(parts)](const std::stop_token& stop) {
      for (const FilePart& part : parts) touch(part.bytes, stop);
    });
  } catch (const std::system_error&) {
    // Who computes then reads for itself.
  }
}

void ReadingAhead::wait() {
  if (m_thread.joinable()) m_thread.join();
}

}  // namespace equipatch
