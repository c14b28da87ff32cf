// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/used_folders.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/base/program_files.h"
#include "core/base/strings.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostListBytes = 1'000'000;

/// Absolute form, the same for "models/tiny/" and "/home/me/models/./tiny".
fs::path normalised(const fs::path& folder) {
  std::error_code problem;
  const fs::path absolute = fs::absolute(folder, problem).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

/// Guards reading and replacing the list: one thread may add a folder while another
/// removes one.
std::mutex& writing() {
  static std::mutex mutex;
  return mutex;
}

/// Replaces the file atomically: a reader sees the old list or the new one.
bool replace(const fs::path& file, const std::string& text) {
  std::error_code problem;
  fs::create_directories(file.parent_path(), problem);
  const fs::path partial = file.string() + "." + std::to_string(::getpid());
  std::ofstream stream(partial, std::ios::binary);
  stream << text;
  stream.close();
  if (stream) fs::rename(partial, file, problem);
  if (stream && !problem) return true;
  fs::remove(partial, problem);
  return false;
}

}  // namespace

UsedFolders::UsedFolders(fs::path file) : m_file(std::move(file)) {}

fs::path UsedFolders::defaultFile() {
  const fs::path data = userDataFolder();
  return data.empty() ? data : data / "equipatch" / "model-folders.json";
}

std::vector<fs::path> UsedFolders::all() const {
  std::vector<fs::path> folders;
  if (m_file.empty() || !isFile(m_file)) return folders;
  try {
    const Json list = readJsonFile(m_file, kMostListBytes);
    if (!list.is_array()) return folders;
    for (const Json& entry : list) {
      if (folders.size() == kMost) break;
      if (!entry.is_string()) continue;
      const fs::path folder = entry.get<std::string>();
      if (folder.is_absolute()) folders.push_back(folder);
    }
  } catch (const Error&) {
    folders.clear();
  }
  return folders;
}

bool UsedFolders::add(const fs::path& folder) const {
  const fs::path added = normalised(folder);
  // JSON holds valid UTF-8 only, so other names are not stored.
  if (m_file.empty() || firstInvalidUtf8(added.string()) != std::string_view::npos)
    return false;
  const std::scoped_lock lock(writing());
  std::vector<fs::path> folders = all();
  if (!folders.empty() && folders.front() == added) return true;
  std::erase(folders, added);
  folders.insert(folders.begin(), added);
  if (folders.size() > kMost) folders.resize(kMost);
  return save(folders);
}

bool UsedFolders::forget(const fs::path& folder) const {
  const std::scoped_lock lock(writing());
  std::vector<fs::path> folders = all();
  if (std::erase(folders, normalised(folder)) == 0) return false;
  if (!save(folders))
    throw Error(ErrorKind::Resource,
                m_file.string() + ": the list cannot be written, so that " +
                    folder.string() +
                    " stays on it; free some space or make the file writable");
  return true;
}

bool UsedFolders::save(const std::vector<fs::path>& folders) const {
  Json list = Json::array();
  for (const fs::path& one : folders) list.push_back(one.string());
  return replace(m_file, list.dump(1) + "\n");
}

}  // namespace equipatch
