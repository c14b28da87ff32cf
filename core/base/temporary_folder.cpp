// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_folder.h"

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/number_format.h"
#include "core/base/paths.h"
#include "core/base/program_files.h"
#include "core/base/strings.h"

namespace equipatch {

namespace {

std::filesystem::path placeOfTemporaryFiles() {
  std::error_code problem;
  const auto place = std::filesystem::temp_directory_path(problem);
  if (!problem) return place;
  throw Error(ErrorKind::Resource,
              "there is no folder for temporary files (" + problem.message() +
                  "); let the variable TMPDIR name a folder that can be written");
}

}  // namespace

TemporaryFolder::TemporaryFolder() : TemporaryFolder(placeOfTemporaryFiles()) {}

TemporaryFolder::TemporaryFolder(const std::filesystem::path& parent) {
  std::string name = (parent / "equipatch-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw Error(ErrorKind::Resource,
                "no temporary folder can be made in " + parent.string() +
                    "; let the variable TMPDIR name a folder that can be written");
  m_path = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

namespace {

namespace fs = std::filesystem;

/// Tests whether a file stays in the page cache after a request to drop its pages. The
/// file system's type does not suffice: an overlay may keep its files in memory.
bool liesInMemory(const fs::path& folder) {
  const fs::path probe = folder / "probe";
  std::ofstream file(probe, std::ios::binary);
  file << std::string(std::size_t{1} << 20, 'x');
  file.close();
  if (!file) throw unwritable(probe);
  dropCachedPages(probe);
  return cachedShare(probe) > 0.5;
}

/// Why the place cannot be used, such as "/tmp is in memory"; empty if it is usable.
std::optional<std::string> unfit(const fs::path& place, std::uintmax_t bytes) {
  std::error_code failure;
  fs::create_directory(place, failure);  // a new user has no ~/.cache
  const fs::space_info space = fs::space(place, failure);
  if (failure) return place.string() + ": " + failure.message();
  if (space.available < bytes)
    return place.string() + " has room for " +
           bytesText(static_cast<std::int64_t>(space.available));
  try {
    if (liesInMemory(TemporaryFolder(place).path()))
      return place.string() + " is in memory";
  } catch (const Error&) {
    return place.string() + " cannot be written";
  }
  return std::nullopt;
}

}  // namespace

std::vector<fs::path> temporaryPlaces() {
  std::vector<fs::path> places;
  std::error_code failure;
  const fs::path temporary = fs::temp_directory_path(failure);
  if (!failure) places.push_back(temporary);
  places.emplace_back("/var/tmp");
  if (const fs::path cache = userCacheFolder(); !cache.empty()) places.push_back(cache);
  return places;
}

fs::path folderOnDisk(const std::vector<fs::path>& places, std::uintmax_t bytes) {
  std::vector<std::string> reasons;
  for (const fs::path& place : places) {
    const auto reason = unfit(place, bytes);
    if (!reason) return place;
    reasons.push_back(*reason);
  }
  throw Error(ErrorKind::Resource, "expected a folder on a disk with room for " +
                                       bytesText(static_cast<std::int64_t>(bytes)) +
                                       ", found none (" + joined(reasons) +
                                       "); set TMPDIR to one");
}

}  // namespace equipatch
