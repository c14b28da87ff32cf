// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/save_run_job.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/partial_file.h"
#include "core/base/write_failure.h"
#include "core/record/file/file_claim.h"
#include "core/record/file/sqlite.h"
#include "core/work/control.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

/// Rolls back a step that a killed program wrote only in part: SQLite applies the journal
/// when it opens the run.
void undoHalfStep(const fs::path& run) {
  try {
    SqlDatabase::openUntrusted(run);
  } catch (const Error&) {  // not a run, or not writable
  }
}

/// Removes the journal of the file that is to be replaced; otherwise SQLite would write
/// the journal's pages into the new file.
void settleJournal(const fs::path& place) {
  undoHalfStep(place);
  std::error_code ignored;
  fs::remove(place.string() + "-journal", ignored);
}

/// Claims the run. Returns no claim if the file cannot be written, because no program can
/// record into such a file.
std::optional<FileClaim> claimOf(const fs::path& run) {
  try {
    return FileClaim::take(run);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Resource) throw;
    return std::nullopt;
  }
}

/// If `path` is a symbolic link, the link's target, so that the link itself remains.
fs::path placeOf(const fs::path& path) {
  std::error_code failure;
  const fs::path place =
      fs::is_symlink(path, failure) ? fs::weakly_canonical(path, failure) : path;
  return failure ? path : place;
}

void requireUnheld(const fs::path& place) {
  if (FileClaim::isHeld(place))
    throw badInput(place.string() +
                   ": a program is recording into this file right now; choose another "
                   "name, or wait for its end");
}

class SaveRunJob final : public Job {
 public:
  SaveRunJob(fs::path from, fs::path to) : m_from(std::move(from)), m_to(placeOf(to)) {}

  std::string name() const override { return "Save " + m_to.string(); }

  void run(Control& control) override {
    std::error_code unknown;
    if (fs::equivalent(m_from, m_to, unknown)) return control.setComplete();
    requireUnheld(m_to);
    const std::optional<FileClaim> claim = claimOf(m_from);
    undoHalfStep(m_from);  // first, because the journal is not copied
    PartialFile copy(m_to);
    const auto before = fs::last_write_time(m_from, unknown);
    write(copy.path(), control);
    // A claim does not keep other programs from writing names and tags into the run.
    if (fs::last_write_time(m_from, unknown) != before)
      throw badInput(m_from.string() +
                     ": the file was changed while it was saved; save it again");
    requireUnheld(m_to);  // again: copying may have taken minutes
    settleJournal(m_to);
    if (const std::error_code failure = copy.putInPlace())
      throw unwritten(copy.path(), failure);
    control.setComplete();
  }

 private:
  void write(const fs::path& copy, Control& control) const {
    std::error_code unknown;
    const std::uintmax_t size = fs::file_size(m_from, unknown);
    std::ifstream in(m_from, std::ios::binary);
    std::ofstream out(copy, std::ios::binary | std::ios::trunc);
    std::vector<char> piece(std::size_t{1} << 20);
    std::uintmax_t done = 0;
    errno = 0;
    while (in && out) {
      control.report(double(done) / double(std::max<std::uintmax_t>(size, 1)),
                     "Saving the run");
      control.throwIfStopped();
      in.read(piece.data(), std::ssize(piece));
      out.write(piece.data(), in.gcount());
      done += std::uintmax_t(in.gcount());
    }
    out.close();
    if (!out) throw unwritten(copy, {errno, std::generic_category()});
    if (unknown || done != size)
      throw Error(ErrorKind::Resource,
                  m_from.string() +
                      ": the file cannot be read; check the disk, and that the file is "
                      "still there");
  }

  Error unwritten(const fs::path& copy, std::error_code failure) const {
    return writeFailed(m_to, "the run cannot be saved", failure.message(),
                       failure.value(), copy);
  }

  fs::path m_from;
  fs::path m_to;
};

}  // namespace

std::unique_ptr<Job> makeSaveRunJob(fs::path from, fs::path to) {
  return std::make_unique<SaveRunJob>(std::move(from), std::move(to));
}

}  // namespace equipatch
