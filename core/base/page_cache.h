#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "core/base/file_map.h"
#include "core/base/machine.h"

namespace equipatch {

/// Asks the system to forget what it keeps of a file in memory, so that the next reader
/// waits for the disk as the first did. Pages that a process has mapped stay.
/// @throws Error{BadInput} naming the path when the file cannot be read.
void dropCachedPages(const std::filesystem::path& path);

/// How much of a file is in memory, from 0 to 1; 0 of an empty one. @throws as above.
double cachedShare(const std::filesystem::path& path);

/// A piece of a mapped file, which it keeps mapped. Two pieces are the same or lie apart.
struct FilePart {
  std::shared_ptr<const FileMap> file;
  std::span<const std::byte> bytes;
};

/// Brings parts of mapped files into memory in the background, in the order in which they
/// lie there, while somebody else already computes with them: who reads a page that is
/// not there waits for the disk and computes nothing meanwhile. Pages are touched, not
/// read into a buffer, so that they come as large as the mapping wants them.
///
/// Leaves all alone where they take more than half of the free memory: what is read first
/// would have to go before it is used; and where the system gives no thread.
class ReadingAhead {
 public:
  /// Begins at once; ended with this object within the time of a page.
  explicit ReadingAhead(std::vector<FilePart> parts,
                        std::optional<std::int64_t> freeBytes = availableMemory());

  void wait();  ///< until all is read

 private:
  std::jthread m_thread;
};

}  // namespace equipatch
