// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/partial_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <random>
#include <string>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/hash.h"
#include "core/base/paths.h"
#include "core/base/strings.h"

namespace equipatch {
namespace {

/// Creates a file beside the target. @returns its path; empty, with errno set, if none
/// can be created
std::filesystem::path makeBeside(const std::filesystem::path& target) {
  constexpr int kTries = 32;
  std::random_device random;
  for (int i = 0; i < kTries; ++i) {
    std::array<unsigned char, 4> bytes{};
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
    const std::string mark = ".partial-" + hexadecimal(bytes);
    std::string name = target.filename().string();
    // Cut a name that only the mark makes too long; `open` refuses a longer one.
    if (name.size() <= NAME_MAX) name = cutUtf8(name, NAME_MAX - mark.size());
    const std::filesystem::path path = target.parent_path() / (name + mark);
    const Descriptor file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.isOpen()) return path;
    if (errno != EEXIST) break;
  }
  return {};
}

}  // namespace

PartialFile::PartialFile(std::filesystem::path target) : m_target(std::move(target)) {
  refusePipeOrDevice(m_target);
  m_path = makeBeside(m_target);
  if (m_path.empty()) throw unwritable(m_target, errno);
}

PartialFile::~PartialFile() {
  std::error_code ignored;
  if (!m_isInPlace) std::filesystem::remove(m_path, ignored);
}

std::error_code PartialFile::putInPlace() {
  const Descriptor file(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC));
  // Some file systems cannot flush; the content is written all the same.
  if (!file.isOpen() || (::fsync(file.number()) != 0 && errno != EINVAL))
    return {errno, std::generic_category()};
  std::error_code failure;
  std::filesystem::rename(m_path, m_target, failure);
  m_isInPlace = !failure;
  return failure;
}

}  // namespace equipatch
