// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/paths.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "core/base/partial_file.h"

namespace equipatch {

bool isAbsent(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::status(path, ignored).type() ==
         std::filesystem::file_type::not_found;
}

bool isThere(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool isFile(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

bool isFolder(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

bool isPipeOrDevice(const std::filesystem::path& path) {
  return isThere(path) && !isFile(path) && !isFolder(path);
}

std::filesystem::path absoluteFolder(const std::filesystem::path& folder) {
  std::error_code problem;
  const std::filesystem::path absolute = std::filesystem::absolute(folder, problem);
  std::filesystem::path normal = (problem ? folder : absolute).lexically_normal();
  // After a link, ".." is the parent of the folder that the link leads to.
  const bool climbs = std::find(absolute.begin(), absolute.end(), "..") != absolute.end();
  if (climbs && isThere(absolute) &&
      !std::filesystem::equivalent(absolute, normal, problem)) {
    const std::filesystem::path real = std::filesystem::canonical(absolute, problem);
    if (!problem) normal = real;
  }
  return normal.has_filename() ? normal : normal.parent_path();  // "models/tiny/"
}

Error unlistable(const std::filesystem::path& folder, std::error_code problem) {
  return badInput(folder.string() + ": the folder cannot be listed, " +
                  problem.message() + "; check who may read it");
}

std::string startOfFile(const std::filesystem::path& path, std::size_t most) {
  if (!isFile(path)) return {};
  std::string bytes(most, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

bool replaceFile(const std::filesystem::path& path, std::string_view text) {
  std::error_code problem;
  std::filesystem::create_directories(path.parent_path(), problem);
  try {
    PartialFile partial(path);
    std::ofstream stream(partial.path(), std::ios::binary);
    stream << text;
    stream.close();
    return stream && !partial.putInPlace();
  } catch (const Error&) {
    return false;
  }
}

void refusePipeOrDevice(const std::filesystem::path& path) {
  if (path.empty()) throw badInput("the name of the file to write is empty; give one");
  if (isPipeOrDevice(path))
    throw badInput(path.string() +
                   ": expected a file or a free name, found a pipe or device; choose "
                   "another name");
}

Error unwritable(const std::filesystem::path& path, int systemError) {
  const std::filesystem::path folder = path.parent_path();
  if (!folder.empty() && isAbsent(folder))
    return Error(ErrorKind::Resource, path.string() + ": there is no folder " +
                                          folder.string() +
                                          "; make it or choose another place");
  const std::string reason = std::generic_category().message(systemError);
  const bool isTooLong = systemError == ENAMETOOLONG;
  return Error(ErrorKind::Resource, path.string() + ": the file cannot be written" +
                                        (systemError == 0 ? "" : " (" + reason + ")") +
                                        "; choose " +
                                        (isTooLong ? "a shorter name" : "another place"));
}

void requireFolderFor(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const std::filesystem::path inside = folder / "";  // the "/" excludes a file
  if (::faccessat(AT_FDCWD, inside.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    throw unwritable(file, errno);
}

}  // namespace equipatch
