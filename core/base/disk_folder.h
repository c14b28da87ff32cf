#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace equipatch {

/// Where this user may leave a file for a while, in the order of preference: the folder
/// for temporary files, which TMPDIR names; /var/tmp; the user's cache folder.
std::vector<std::filesystem::path> temporaryPlaces();

/// The first of `places` whose files lie on a disk with room for so many bytes. Which
/// places lie in memory differs by system: /tmp does on Debian 13, not on Debian 12.
/// @throws Error{Resource} saying of each place what is wrong with it.
std::filesystem::path folderOnDisk(const std::vector<std::filesystem::path>& places,
                                   std::uintmax_t bytes);

}  // namespace equipatch
