// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/model_folders.h"

#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/base/program_files.h"
#include "core/base/strings.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "models--";
constexpr std::string_view kDivider = "--";
// Limits for hostile folders; real caches stay below them.
constexpr int kMostEntries = 20'000;
constexpr int kDeepestRef = 100;  // parts of a revision, which are separated by "/"
constexpr std::size_t kLongestCommit = 128;

using RefsByCommit = std::map<std::string, std::vector<std::string>>;

/// Entries of a folder, sorted; empty when it cannot be read.
std::vector<fs::path> entriesOf(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code problem;
  fs::directory_iterator at(folder, problem);
  for (; !problem && at != fs::directory_iterator(); at.increment(problem)) {
    entries.push_back(at->path());
    if (entries.size() == kMostEntries) break;
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

/// True for valid UTF-8 without control characters, which can be displayed and typed.
bool isText(const std::string& name) {
  return firstInvalidUtf8(name) == std::string_view::npos &&
         std::none_of(name.begin(), name.end(),
                      [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

/// "models--google--gemma" → "google/gemma"; empty for anything else.
std::string repositoryOf(const std::string& folderName) {
  if (!folderName.starts_with(kPrefix) || !isText(folderName)) return {};
  std::string name = folderName.substr(kPrefix.size());
  const std::size_t divider = name.find(kDivider);
  if (divider != std::string::npos) name.replace(divider, kDivider.size(), "/");
  return name;
}

void collectRefs(const fs::path& folder, const std::string& prefix, int depth,
                 RefsByCommit& refs) {
  for (const fs::path& entry : entriesOf(folder)) {
    const std::string name = prefix + entry.filename().string();
    if (!isText(name)) continue;
    std::error_code ignored;
    if (fs::is_symlink(entry, ignored)) continue;  // huggingface_hub makes no links here
    if (isFolder(entry)) {
      if (depth > 1) collectRefs(entry, name + "/", depth - 1, refs);
    } else if (const std::string commit = commitOfRef(entry); !commit.empty()) {
      refs[commit].push_back(name);
    }
  }
}

bool isMain(const CachedRevision& revision) {
  return std::find(revision.revisions.begin(), revision.revisions.end(), "main") !=
         revision.revisions.end();
}

void readRepository(const fs::path& folder, std::vector<CachedRevision>& found) {
  const std::string repository = repositoryOf(folder.filename().string());
  if (repository.empty()) return;
  RefsByCommit refs;
  collectRefs(folder / "refs", {}, kDeepestRef, refs);
  std::vector<CachedRevision> own;
  for (const fs::path& snapshot : entriesOf(folder / "snapshots")) {
    const std::string commit = snapshot.filename().string();
    if (!isFolder(snapshot) || !isText(commit)) continue;
    own.push_back({repository, commit, refs[commit], snapshot});
    std::sort(own.back().revisions.begin(), own.back().revisions.end());
  }
  std::stable_partition(own.begin(), own.end(), isMain);
  found.insert(found.end(), own.begin(), own.end());
}

fs::path firstChoice() {
  for (const char* variable : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"})
    if (const fs::path chosen = folderFromEnvironment(variable); !chosen.empty())
      return expandedHome(chosen);
  const fs::path home = hubHome();
  return home.empty() ? home : home / "hub";
}

}  // namespace

fs::path hubHome() {
  if (const fs::path chosen = folderFromEnvironment("HF_HOME"); !chosen.empty())
    return expandedHome(chosen);
  if (const fs::path chosen = folderFromEnvironment("XDG_CACHE_HOME"); !chosen.empty())
    return expandedHome(chosen) / "huggingface";
  const fs::path home = homeFolder();
  return home.empty() ? home : home / ".cache" / "huggingface";
}

std::string commitOfRef(const fs::path& file) {
  const std::string bytes = startOfFile(file, kLongestCommit);
  return bytes.substr(0, bytes.find_first_of(std::string_view(" \r\n\t\0", 5)));
}

std::vector<CachedRevision> readHubCache(const fs::path& cache) {
  std::vector<CachedRevision> found;
  for (const fs::path& entry : entriesOf(cache)) readRepository(entry, found);
  return found;
}

std::string repositoryOfSnapshot(const fs::path& folder) {
  const fs::path snapshots = folder.parent_path();
  if (snapshots.filename() != "snapshots") return {};
  return repositoryOf(snapshots.parent_path().filename().string());
}

std::vector<fs::path> hubCacheFolders() {
  std::vector<fs::path> folders;
  for (const fs::path& folder :
       {firstChoice(), expandedHome(folderFromEnvironment("TRANSFORMERS_CACHE"))})
    if (!folder.empty() &&
        std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  return folders;
}

namespace {

/// LM Studio's folder: the path in its pointer file, otherwise the default.
fs::path lmStudioHome(const fs::path& home) {
  constexpr std::size_t kLongestPath = 4096;
  const std::string text = startOfFile(home / ".lmstudio-home-pointer", kLongestPath);
  const fs::path pointed = text.substr(0, text.find('\n'));
  if (pointed.is_absolute()) return pointed;
  return home / ".lmstudio";
}

}  // namespace

std::vector<fs::path> otherProgramsFolders() {
  const fs::path home = homeFolder();
  if (home.empty()) return {};
  std::vector<fs::path> folders;
  for (const fs::path& folder :
       {lmStudioHome(home) / "models", home / ".cache/lm-studio/models",
        home / "text-generation-webui/user_data/models",
        home / "text-generation-webui/models"})
    if (isFolder(folder)) folders.push_back(folder);
  return folders;
}

bool isGgufName(const fs::path& path) {
  return asciiLowered(path.extension().string()) == ".gguf";
}

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostListBytes = 1'000'000;

/// Keeps other threads and programs from changing the list while it is read and replaced.
/// Locks the list's folder, not the file, because every change replaces the file. If the
/// file system has no locks, or the folder cannot be read, the lock excludes only threads
/// of this program.
class ListLock {
 public:
  explicit ListLock(const fs::path& list)
      : m_threads(mutex()),
        m_folder(::open(list.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (m_folder.isOpen() && ::flock(m_folder.number(), LOCK_EX) != 0 &&
           errno == EINTR) {
    }
  }

 private:
  static std::mutex& mutex() {
    static std::mutex only;
    return only;
  }

  std::scoped_lock<std::mutex> m_threads;
  Descriptor m_folder;
};

}  // namespace

UsedFolders::UsedFolders(fs::path file) : m_file(std::move(file)) {}

fs::path UsedFolders::defaultFile() {
  const fs::path data = userDataFolder();
  return data.empty() ? data : data / "equipatch" / "model-folders.json";
}

std::vector<fs::path> UsedFolders::all() const {
  return read().value_or(std::vector<fs::path>());
}

std::optional<std::vector<fs::path>> UsedFolders::read() const {
  std::vector<fs::path> folders;
  if (m_file.empty() || isAbsent(m_file)) return folders;
  if (!isFile(m_file) || !std::ifstream(m_file)) return std::nullopt;
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
  const fs::path added = absoluteFolder(folder);
  // JSON can store only valid UTF-8.
  if (m_file.empty() || firstInvalidUtf8(added.string()) != std::string_view::npos)
    return false;
  std::error_code ignored;  // if this fails, replaceFile fails too
  fs::create_directories(m_file.parent_path(), ignored);
  const ListLock lock(m_file);
  std::optional<std::vector<fs::path>> folders = read();
  if (!folders) return false;
  if (!folders->empty() && folders->front() == added) return true;
  std::erase(*folders, added);
  folders->insert(folders->begin(), added);
  if (folders->size() > kMost) folders->resize(kMost);
  return save(*folders);
}

bool UsedFolders::forget(const fs::path& folder) const {
  const ListLock lock(m_file);
  std::optional<std::vector<fs::path>> folders = read();
  if (!folders)
    throw Error(ErrorKind::Resource,
                m_file.string() + ": the list cannot be read, so that " +
                    folder.string() + " stays on it; make the file readable");
  if (std::erase(*folders, absoluteFolder(folder)) == 0) return false;
  if (!save(*folders))
    throw Error(ErrorKind::Resource,
                m_file.string() + ": the list cannot be written, so that " +
                    folder.string() +
                    " stays on it; free some space or make the file writable");
  return true;
}

bool UsedFolders::save(const std::vector<fs::path>& folders) const {
  Json list = Json::array();
  for (const fs::path& one : folders) list.push_back(one.string());
  return replaceFile(m_file, list.dump(1) + "\n");
}

}  // namespace equipatch
