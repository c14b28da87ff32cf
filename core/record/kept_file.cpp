#include "core/record/kept_file.h"

#include <sys/stat.h>

#include <array>
#include <ctime>
#include <fstream>
#include <string>
#include <system_error>

#include "core/base/error.h"
#include "core/base/paths.h"

namespace equipatch {
namespace {

std::string beginningOf(const std::filesystem::path& path) {
  std::string start(64, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return start;
}

/// "2026-11-22-073512", local time.
std::string timeOf(const std::filesystem::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return "earlier";
  std::tm local = {};
  ::localtime_r(&status.st_mtime, &local);
  std::array<char, 32> text{};
  return {text.data(),
          std::strftime(text.data(), text.size(), "%Y-%m-%d-%H%M%S", &local)};
}

}  // namespace

void requireOwnOrAbsent(const std::filesystem::path& path, const OwnFile& own) {
  if (!isThere(path) || beginningOf(path).find(own.marker) != std::string::npos) return;
  throw badInput(path.string() + " exists already and is not " + std::string(own.what) +
                 ", which would take its place; choose another name");
}

std::filesystem::path setAside(const std::filesystem::path& path) {
  if (!isThere(path)) return {};
  const std::string stem = path.stem().string() + "-" + timeOf(path);
  std::filesystem::path aside = path;
  aside.replace_filename(stem + path.extension().string());
  for (int more = 2; isThere(aside); ++more)
    aside.replace_filename(stem + "-" + std::to_string(more) + path.extension().string());
  std::error_code failure;
  std::filesystem::rename(path, aside, failure);
  if (failure)
    throw Error(ErrorKind::Resource, path.string() + " cannot be renamed (" +
                                         failure.message() + "); choose another folder");
  return aside;
}

}  // namespace equipatch
