// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/hub_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/write_failure.h"
#include "core/checkpoint/model_folders.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

std::string folderName(std::string repository) {
  if (const std::size_t slash = repository.find('/'); slash != std::string::npos)
    repository.replace(slash, 1, "--");
  return "models--" + repository;
}

void makeFolders(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw writeFailed(folder, "the folder cannot be made", failure.message(),
                      failure.value());
}

bool isWhole(const fs::path& path, std::uint64_t bytes) {
  std::error_code problem;
  return isFile(path) && fs::file_size(path, problem) == bytes && !problem;
}

/// True if the snapshot holds the complete file at `place`, not a link to its blob.
bool holdsItself(const fs::path& place, const HubFile& file) {
  std::error_code ignored;
  return !fs::is_symlink(place, ignored) && isWhole(place, file.bytes);
}

fs::path temporaryBeside(const fs::path& path) {
  fs::path other = path;
  other += ".equipatch-" + std::to_string(::getpid());
  return other;
}

void putInPlace(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  fs::rename(from, to, failure);
  if (failure)
    throw writeFailed(to, "the file cannot be put in its place", failure.message(),
                      failure.value());
}

/// The blobs in the folder `blobs` to which the snapshot's links point.
/// @param problem set if reading failed; the result may then lack some blobs
std::set<fs::path> blobsOf(const fs::path& snapshot, const fs::path& blobs,
                           std::error_code& problem) {
  std::set<fs::path> found;
  for (fs::recursive_directory_iterator at(snapshot, problem), end; !problem && at != end;
       at.increment(problem)) {
    const bool isLink = at->is_symlink(problem);
    const fs::path target =
        isLink && !problem ? fs::read_symlink(at->path(), problem) : fs::path();
    if (problem) break;
    const fs::path blob = (at->path().parent_path() / target).lexically_normal();
    if (isLink && blob.parent_path() == blobs) found.insert(blob);
  }
  return found;
}

/// True if a folder could not be read although it exists.
bool isUnread(const std::error_code& problem) {
  return problem && problem != std::errc::no_such_file_or_directory &&
         problem != std::errc::not_a_directory;
}

/// The bytes that deleting the folder frees. Links, including `folder` itself, are not
/// followed, because their targets stay.
std::uint64_t bytesIn(const fs::path& folder) {
  std::uint64_t sum = 0;
  std::error_code problem;
  if (fs::is_symlink(folder, problem)) return sum;
  for (fs::recursive_directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem))
    if (at->is_regular_file(problem) && !at->is_symlink(problem)) {
      const std::uintmax_t bytes = at->file_size(problem);
      if (!problem) sum += bytes;
    }
  return sum;
}

}  // namespace

HubCacheRepository::HubCacheRepository(const fs::path& cache,
                                       const std::string& repository)
    : m_folder(cache / folderName(repository)),
      m_locks(cache / ".locks" / folderName(repository)) {
  if (cache.empty())
    throw badInput(
        "there is no folder for models; set HF_HUB_CACHE or HOME to a folder that can be "
        "written");
}

fs::path HubCacheRepository::blob(const HubFile& file) const {
  return m_folder / "blobs" / file.hash;
}

fs::path HubCacheRepository::incomplete(const HubFile& file) const {
  return m_folder / "blobs" / (file.hash + ".incomplete");
}

fs::path HubCacheRepository::lock(const HubFile& file) const {
  return m_locks / (file.hash + ".lock");
}

fs::path HubCacheRepository::snapshot(const std::string& commit) const {
  return m_folder / "snapshots" / commit;
}

bool HubCacheRepository::has(const HubFile& file) const {
  return isWhole(blob(file), file.bytes);
}

bool HubCacheRepository::has(const HubFile& file, const std::string& commit) const {
  return has(file) || holdsItself(snapshot(commit) / file.name, file);
}

void HubCacheRepository::makeFolders() const {
  equipatch::makeFolders(m_folder / "blobs");
  equipatch::makeFolders(m_locks);
}

void HubCacheRepository::link(const std::string& commit, const HubFile& file,
                              BlobUse use) const {
  const fs::path place = snapshot(commit) / file.name;
  const fs::path target = fs::path("../../blobs") / file.hash;
  std::error_code problem;
  if (fs::read_symlink(place, problem) == target) return;
  if (!has(file) && holdsItself(place, file)) return;  // published before, without links
  const fs::path part = temporaryBeside(place);
  fs::remove(part, problem);
  fs::create_symlink(target, part, problem);
  if (!problem) return putInPlace(part, place);
  if (use == BlobUse::Last) return putInPlace(blob(file), place);
  fs::copy_file(blob(file), place, fs::copy_options::overwrite_existing, problem);
  if (problem)
    throw writeFailed(place, "the file cannot be copied", problem.message(),
                      problem.value());
}

void HubCacheRepository::publish(const HubModel& model) const {
  equipatch::makeFolders(snapshot(model.commit));
  // Linked last, because a folder that contains it counts as a model.
  constexpr const char* kLast = "config.json";
  std::vector<HubFile> files = model.files;
  std::ranges::stable_partition(files,
                                [&](const HubFile& file) { return file.name != kLast; });
  for (auto file = files.begin(); file != files.end(); ++file) {
    const bool isNeeded = std::any_of(file + 1, files.end(), [&](const HubFile& other) {
      return other.hash == file->hash;
    });
    link(model.commit, *file, isNeeded ? BlobUse::Earlier : BlobUse::Last);
  }
  const fs::path ref = m_folder / "refs" / model.name.revision;
  const bool isKnown =
      model.name.revision == model.commit || commitOfRef(ref) == model.commit;
  if (!isKnown && !replaceFile(ref, model.commit)) throw unwritable(ref);
}

bool FlockedFile::tryLock(const fs::path& path) {
  m_file = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!m_file.isOpen())
    throw writeFailed(path, "the lock cannot be made",
                      std::generic_category().message(errno), errno);
  if (::flock(m_file.number(), LOCK_EX | LOCK_NB) == 0) return true;
  const bool isHeld = errno == EWOULDBLOCK;
  if (isHeld) m_file.close();
  return !isHeld;
}

SnapshotRemoval SnapshotRemoval::plan(const fs::path& snapshot) {
  const fs::path folder = absoluteFolder(snapshot);
  if (repositoryOfSnapshot(folder).empty())
    throw badInput(folder.string() +
                   ": expected a model in a Hugging Face cache; other folders are not "
                   "deleted by Equipatch");
  const fs::path repository = folder.parent_path().parent_path();
  const fs::path blobs = repository / "blobs";
  const std::string commit = folder.filename().string();
  std::error_code problem;
  std::set<fs::path> own = blobsOf(folder, blobs, problem);
  bool isLast = true;
  for (fs::directory_iterator at(folder.parent_path(), problem), end;
       !problem && at != end; at.increment(problem)) {
    if (at->path() == folder) continue;
    isLast = false;
    std::error_code unread;
    for (const fs::path& shared : blobsOf(at->path(), blobs, unread)) own.erase(shared);
    if (isUnread(unread)) own.clear();  // that snapshot may use any of them
  }
  if (isUnread(problem)) {
    isLast = false;
    own.clear();
  }
  if (isLast)
    return {{repository, repository.parent_path() / ".locks" / repository.filename()},
            bytesIn(repository)};
  SnapshotRemoval removal{{folder}, bytesIn(folder), true};
  for (const fs::path& blob : own) {
    const std::uintmax_t bytes = isFile(blob) ? fs::file_size(blob, problem) : 0;
    removal.bytes += problem ? 0 : bytes;
    removal.paths.push_back(blob);
  }
  for (fs::recursive_directory_iterator at(repository / "refs", problem), end;
       !problem && at != end; at.increment(problem))
    if (commitOfRef(at->path()) == commit) removal.paths.push_back(at->path());
  return removal;
}

void SnapshotRemoval::execute() const {
  for (const fs::path& path : paths) {
    std::error_code failure;
    fs::remove_all(path, failure);
    if (failure)
      throw Error(ErrorKind::Resource, path.string() + ": it cannot be deleted (" +
                                           failure.message() +
                                           "); change its permissions or its disk's");
  }
}

}  // namespace equipatch
