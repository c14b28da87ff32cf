// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/output_file.h"

#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/write_failure.h"

namespace equipatch {
namespace {

constexpr const char* kCannotWrite = "the file cannot be written";

/// The time of the last change, "2026-11-22-073512", local time.
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

OutputFile::OutputFile(std::filesystem::path path)
    : m_file(std::move(path)), m_stream(m_file.path(), std::ios::binary) {
  if (!m_stream) throw unwritable(m_file.target(), errno);
}

OutputFile& OutputFile::operator<<(std::string_view text) {
  m_stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  return *this;
}

void OutputFile::finish() {
  m_stream.close();
  check();
  if (const std::error_code failure = m_file.putInPlace())
    throw writeFailed(m_file.target(), kCannotWrite, failure.message(), failure.value());
}

void OutputFile::check() const {
  if (!m_stream) throw writeFailed(m_file.target(), kCannotWrite, "", 0, m_file.path());
}

void makeFolder(const std::filesystem::path& folder) {
  if (folder.empty()) throw badInput("the name of the folder to make is empty; give one");
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (!isFolder(folder))
    throw Error(ErrorKind::Resource,
                folder.string() + ": the folder cannot be made" +
                    (failure ? " (" + failure.message() + ")" : std::string()) +
                    "; choose another place");
}

void makeCheckpointFolder(const std::filesystem::path& folder) {
  makeFolder(folder);
  std::error_code problem;
  const bool isEmpty = std::filesystem::is_empty(folder, problem);
  if (problem)
    throw Error(ErrorKind::Resource, folder.string() + ": the folder cannot be read (" +
                                         problem.message() + "); choose another place");
  if (!isEmpty)
    throw badInput(folder.string() +
                   " is not empty; name a new folder for the patched checkpoint");
}

bool meansStandardOutput(std::string_view word) {
  return word == "-";
}

std::string notToStandardOutput(std::string_view what) {
  return "\"-\" means standard output, where " + std::string(what) +
         " cannot be written; give a name (./- for a file or folder called -)";
}

OutputPlace::OutputPlace(const std::string& word) : m_path(word) {
  if (!meansStandardOutput(word)) return;
  m_folder = std::make_unique<TemporaryFolder>();
  m_path = m_folder->path() / "output";
}

void OutputPlace::copyToStandardOutput(std::ostream& standardOutput) {
  if (!m_folder) return;
  std::ifstream file(m_path, std::ios::binary);
  // If standard output is a pipe that gets closed, SIGPIPE ends the program at once. So
  // the temporary folder is removed before writing; the open file stays readable.
  m_folder.reset();
  std::vector<char> chunk(std::size_t{1} << 20);
  while (standardOutput &&
         (file.read(chunk.data(), std::ssize(chunk)), file.gcount() > 0))
    standardOutput.write(chunk.data(), file.gcount());
  standardOutput.flush();
  if (!file.is_open() || file.bad() || !standardOutput)
    throw outputFailed("the file could not be passed on to standard output");
}

void requireOwnOrAbsent(const std::filesystem::path& path, const OwnFile& own) {
  if (!isThere(path) ||
      startOfFile(path, own.within).find(own.marker) != std::string::npos)
    return;
  throw badInput(path.string() + " exists already and is not " + std::string(own.what) +
                 ", so it stays; choose another name or folder");
}

void requirePlaceFor(const std::filesystem::path& path, const OwnFile& own) {
  requireOwnOrAbsent(path, own);
  const std::filesystem::path folder = path.parent_path();
  if (!folder.empty() && !isFolder(folder))
    throw unwritable(path, isThere(folder) ? ENOTDIR : 0);
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
