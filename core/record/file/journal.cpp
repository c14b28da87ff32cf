// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/journal.h"

#include <array>
#include <fstream>
#include <string_view>

#include "core/base/error.h"
#include "core/base/paths.h"

namespace equipatch {

namespace fs = std::filesystem;

void refuseOddCompanions(const fs::path& path) {
  for (const char* ending : {"-journal", "-wal", "-shm"}) {
    fs::path companion = path;
    companion += ending;
    if (isThere(companion) && !isFile(companion))
      throw badInput(companion.string() +
                     ": expected a journal of the run file, found a folder, pipe or "
                     "device; delete it");
  }
}

fs::path journalOf(const fs::path& path) {
  fs::path journal = path;
  journal += "-journal";
  return journal;
}

bool namesAnotherFile(const fs::path& journal) {
  constexpr std::string_view kMagic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  std::ifstream file(journal, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? std::streamoff(file.tellg()) : 0;
  if (size < std::streamoff(kMagic.size())) return false;
  std::array<char, kMagic.size()> end{};
  file.seekg(-static_cast<std::streamoff>(kMagic.size()), std::ios::end);
  file.read(end.data(), end.size());
  return std::string_view(end.data(), end.size()) == kMagic;
}

}  // namespace equipatch
