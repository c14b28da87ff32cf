// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/cell_claim.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/json.h"
#include "core/base/machine.h"
#include "core/base/number_from.h"
#include "core/base/paths.h"
#include "core/record/export/output_file.h"
#include "core/record/file/newer_format.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWorkFolder = "work";
constexpr std::string_view kRunEnding = ".eqrun", kClaimPart = ".claim.",
                           kFailureEnding = ".failed", kClaimingEnding = ".claiming";
constexpr std::chrono::seconds kBeat{5};
constexpr std::size_t kMostNoteBytes = 65536;

std::string environmentText(const char* variable) {
  const char* const value = std::getenv(variable);
  return value ? value : "";
}

std::string newToken() {
  std::random_device random;
  std::string token;
  for (int part = 0; part < 2; ++part) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), random(), 36).ptr;
    token.append(digits.begin(), end);
  }
  return token;
}

/// Nothing when the file is gone. Opens the file first, because opening makes a file
/// server send the attributes anew, while stat may answer from a cache. O_NONBLOCK:
/// opening a named pipe does not wait for a writer.
std::optional<struct stat> freshStatus(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status = {};
  const bool isKnown = file.isOpen() ? ::fstat(file.number(), &status) == 0
                                     : ::stat(path.c_str(), &status) == 0;
  return isKnown ? std::optional(status) : std::nullopt;
}

std::string readNote(const fs::path& path) {
  return startOfFile(path, kMostNoteBytes);
}

std::string nameOf(const SweepCell& cell) {
  std::string name = cell.fileName();
  name.resize(name.size() - kRunEnding.size());
  return name;
}

fs::path claimPath(const fs::path& work, const std::string& cell, std::int64_t number) {
  return work / (cell + std::string(kClaimPart) + std::to_string(number));
}

/// Parses a claim file's text. A damaged claim has neither token nor claimant.
ClaimView claimFrom(const std::string& text, std::int64_t number) {
  ClaimView view{.number = number, .token = {}, .claimant = {}};
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return view;
  view.token = textAt(json, "/token");
  view.claimant = {
      .host = textAt(json, "/host"), .process = 0, .task = textAt(json, "/task")};
  if (json.contains("process") && json["process"].is_number_integer())
    view.claimant.process = json["process"].get<std::int64_t>();
  return view;
}

std::string textOf(const std::string& token, const Claimant& claimant) {
  const Json json{{"token", token},
                  {"host", claimant.host},
                  {"process", claimant.process},
                  {"task", claimant.task},
                  {"time", utcNow()}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Error cannotClaim(const fs::path& path, int code) {
  return {ErrorKind::Resource, path.string() + ": the file cannot be written (" +
                                   std::generic_category().message(code) +
                                   "); choose another folder"};
}

/// @returns false when the file exists already.
bool createFile(const fs::path& path, const std::string& text) {
  const Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.isOpen() && errno == EEXIST) return false;
  if (!file.isOpen()) throw cannotClaim(path, errno);
  for (std::string_view rest = text; !rest.empty();) {
    // If a full disk takes only a part of the text, the next call fails with the reason.
    const ssize_t written = ::write(file.number(), rest.data(), rest.size());
    if (written <= 0) {
      const int code = errno;
      ::unlink(path.c_str());
      throw cannotClaim(path, code);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Creates `path` as a hard link to `own`, which holds `text`; only one program succeeds.
/// @returns false when `path` exists already or `own` is gone.
bool createFrom(const fs::path& own, const fs::path& path, const std::string& text) {
  if (::link(own.c_str(), path.c_str()) == 0) return true;
  const int code = errno;
  // If a file server's answer was lost, link fails although the server made the link.
  const auto status = freshStatus(own);
  if (status && status->st_nlink == 2) return true;
  if (!status || code == EEXIST) return false;
  return createFile(path, text);  // some file systems have no hard links
}

/// Splits "CELL.claim.3" into `cell` and the number. @returns 0 or less for other names.
std::int64_t claimNumber(std::string_view name, std::string& cell) {
  const std::size_t at = name.rfind(kClaimPart);
  if (at == std::string_view::npos) return 0;
  const std::string_view digits = name.substr(at + kClaimPart.size());
  const auto number = numberFrom<std::int64_t>(digits);
  constexpr std::int64_t kMost = 1'000'000;  // more takeovers than any cell has
  if (!number || *number > kMost) return 0;
  cell = name.substr(0, at);
  return *number;
}

/// The highest claim number of each cell.
/// @param only the cell to look for; null: all cells
std::map<std::string, std::int64_t> highestClaims(const fs::path& work,
                                                  const std::string* only) {
  std::map<std::string, std::int64_t> highest;
  std::error_code failure;
  std::string cell;
  for (fs::directory_iterator entry(work, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::int64_t number = claimNumber(entry->path().filename().string(), cell);
    if (number <= 0 || (only && cell != *only)) continue;
    std::int64_t& known = highest[cell];
    known = std::max(known, number);
  }
  return highest;
}

/// Removes the claims of a cell up to the number `ours`, and this claim last.
void removeClaims(const fs::path& work, const std::string& cell, std::int64_t ours) {
  std::error_code failure;
  for (fs::directory_iterator entry(work, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::string claimed;
    const std::int64_t number = claimNumber(entry->path().filename().string(), claimed);
    if (number > 0 && number < ours && claimed == cell) ::unlink(entry->path().c_str());
  }
  ::unlink(claimPath(work, cell, ours).c_str());
}

/// The cell of "CELL.TOKEN.eqrun", "CELL.TOKEN.claiming" or "CELL.failed", also with more
/// text at the end, such as "-journal"; empty for claims and other names. Another cell's
/// name may be "CELL.strength=0.5": do not test for the prefix CELL instead.
std::string_view cellOfWork(std::string_view name) {
  constexpr std::size_t kNone = std::string_view::npos;
  if (name.find(kClaimPart) != kNone) return {};
  if (const std::size_t end = name.rfind(kFailureEnding); end != kNone)
    return name.substr(0, end);
  const std::size_t end = std::min(name.rfind(kRunEnding), name.rfind(kClaimingEnding));
  const std::size_t dot = name.substr(0, end).rfind('.');
  return end == kNone || dot == kNone ? std::string_view() : name.substr(0, dot);
}

bool hasWork(const fs::path& work, const std::string& cell) {
  std::error_code failure;
  for (fs::directory_iterator entry(work, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    std::string claimed;
    if (cellOfWork(name) == cell || (claimNumber(name, claimed) > 0 && claimed == cell))
      return true;
  }
  return false;
}

/// Removes the files of a cell, except claims.
/// @param token whose files to remove; empty: those of all tokens, and the failure's note
void removeWork(const fs::path& work, const std::string& cell,
                const std::string& token = {}) {
  std::error_code failure, ignored;
  for (fs::directory_iterator entry(work, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (cellOfWork(name) == cell && name.substr(cell.size() + 1).starts_with(token))
      fs::remove(entry->path(), ignored);
  }
}

/// Reads a claim; nothing when its file is gone.
/// @param now preferably by the file system's clock: the time of a file just written
std::optional<ClaimView> lookAt(const fs::path& path, std::int64_t number,
                                std::time_t now) {
  const auto status = freshStatus(path);
  if (!status) return std::nullopt;
  ClaimView view = claimFrom(readNote(path), number);
  view.silence = std::chrono::seconds(std::max<std::time_t>(0, now - status->st_mtime));
  return view;
}

}  // namespace

Claimant Claimant::self() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  Claimant self{.host = host.data(), .process = ::getpid(), .task = {}};
  const std::string job = environmentText("SLURM_ARRAY_JOB_ID");
  if (!job.empty()) self.task = job + "_" + environmentText("SLURM_ARRAY_TASK_ID");
  return self;
}

bool ClaimView::isAbandoned(const Claimant& self) const {
  if (silence > kClaimSilence) return true;
  // Slurm starts a task again only when it has ended, or when its machine is lost.
  if (!self.task.empty() && claimant.task == self.task &&
      claimant.process != self.process)
    return true;
  const bool isHere = claimant.host == self.host && claimant.process > 0;
  return isHere && !isRunning(claimant.process);
}

CellClaim::CellClaim(fs::path folder, std::string cell)
    : m_folder(std::move(folder)),
      m_cell(std::move(cell)),
      m_token(newToken()),
      m_recording(m_folder / kWorkFolder /
                  (m_cell + "." + m_token + std::string(kRunEnding))),
      m_lastLook(std::chrono::steady_clock::now()) {}

CellClaim::CellClaim(CellClaim&& other) noexcept
    : m_folder(std::move(other.m_folder)),
      m_cell(std::move(other.m_cell)),
      m_token(std::exchange(other.m_token, {})),
      m_number(other.m_number),
      m_recording(std::move(other.m_recording)),
      m_lastLook(other.m_lastLook),
      m_ours(other.m_ours) {}

std::optional<CellClaim> CellClaim::take(const fs::path& folder, const SweepCell& cell,
                                         const Claimant& claimant) {
  const std::string name = nameOf(cell);
  const fs::path work = folder / kWorkFolder;
  makeFolder(work);
  CellClaim claim(folder, name);
  const std::string text = textOf(claim.m_token, claimant);
  const fs::path own = work / (name + "." + claim.m_token + std::string(kClaimingEnding));
  createFile(own, text);
  const bool isTaken = !claim.createAfterAbandoned(own, text, claimant);
  ::unlink(own.c_str());
  if (!isTaken) return claim;
  claim.m_token.clear();  // nothing to give up
  return std::nullopt;
}

/// Creates the claim unless another one is valid.
/// @param own a new file with the claim's text; removed by any program that publishes the
/// cell meanwhile
bool CellClaim::createAfterAbandoned(const fs::path& own, const std::string& text,
                                     const Claimant& claimant) {
  const fs::path work = own.parent_path();
  const auto now = freshStatus(own);
  if (!now) return false;
  const auto highest = highestClaims(work, &m_cell);
  if (const auto found = highest.find(m_cell); found != highest.end()) {
    m_number = found->second;
    const auto there = lookAt(claimPath(work, m_cell, m_number), m_number, now->st_mtime);
    if (there && !there->isAbandoned(claimant)) return false;
  }
  ++m_number;
  return createFrom(own, claimPath(work, m_cell, m_number), text);
}

CellClaim::~CellClaim() {
  if (m_token.empty()) return;
  if (isOurs()) removeClaims(m_folder / kWorkFolder, m_cell, m_number);
  // Also removes the recording's journal, and the file that the recorder rescued if
  // another program finished the cell and removed the recording.
  removeWork(m_folder / kWorkFolder, m_cell, m_token);
}

bool CellClaim::beat() {
  if (std::chrono::steady_clock::now() - m_lastLook < kBeat) return m_ours;
  return isOurs();
}

bool CellClaim::isOurs() {
  m_lastLook = std::chrono::steady_clock::now();
  const fs::path work = m_folder / kWorkFolder;
  const fs::path path = claimPath(work, m_cell, m_number);
  m_ours = m_ours && claimFrom(readNote(path), m_number).token == m_token &&
           !freshStatus(claimPath(work, m_cell, m_number + 1));
  if (m_ours) ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return m_ours;
}

bool CellClaim::publish() {
  if (!isOurs()) return false;
  const fs::path place = m_folder / (m_cell + std::string(kRunEnding));
  std::error_code failure;
  fs::rename(m_recording, place, failure);
  if (failure)
    throw Error(ErrorKind::Resource, place.string() +
                                         ": the file cannot be put in place (" +
                                         failure.message() + "); choose another folder");
  // Removes what killed programs left of the cell, and an earlier failure's note.
  removeWork(m_folder / kWorkFolder, m_cell);
  return true;
}

void CellClaim::removeRemains(const fs::path& folder, const SweepCell& cell) {
  const std::string name = nameOf(cell);
  if (!hasWork(folder / kWorkFolder, name)) return;
  if (const auto claim = take(folder, cell)) removeWork(folder / kWorkFolder, name);
}

void CellClaim::noteFailure(const Error& error) {
  const Json json{{"error", error.what()}, {"time", utcNow()}};
  const fs::path path = m_folder / kWorkFolder / (m_cell + std::string(kFailureEnding));
  // Ignores a failure to write: the note is not essential.
  replaceFile(path, json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

CellNotes readCellNotes(const fs::path& folder) {
  CellNotes notes;
  const fs::path work = folder / kWorkFolder;
  // By this machine's clock: the file system's could be read only by writing a file.
  const std::time_t now = std::time(nullptr);
  for (const auto& [cell, number] : highestClaims(work, nullptr))
    if (auto view = lookAt(claimPath(work, cell, number), number, now))
      notes.claims[cell + std::string(kRunEnding)] = std::move(*view);
  std::error_code failure;
  for (fs::directory_iterator entry(work, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (!name.ends_with(kFailureEnding)) continue;
    const Json json = Json::parse(readNote(entry->path()), nullptr, false);
    const std::string cell = name.substr(0, name.size() - kFailureEnding.size());
    notes.failures[cell + std::string(kRunEnding)] =
        json.is_object() ? textAt(json, "/error") : "";
  }
  return notes;
}

}  // namespace equipatch
