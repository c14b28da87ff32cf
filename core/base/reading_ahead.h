#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "core/base/file_map.h"

namespace equipatch {

/// Brings mapped files into memory in the background, from their beginnings to their
/// ends, while somebody else already computes with them: who reads a page that is not
/// there waits for the disk and computes nothing meanwhile.
///
/// Leaves files alone that together take more than half of the free memory: what is read
/// first would have to go before it is used.
class ReadingAhead {
 public:
  /// Begins at once. Files that lie in memory are passed over.
  explicit ReadingAhead(std::vector<std::shared_ptr<const FileMap>> files);
  ~ReadingAhead() = default;  ///< ends it within a page's time

  void wait();  ///< until all is read; for tests

 private:
  std::jthread m_thread;
};

}  // namespace equipatch
