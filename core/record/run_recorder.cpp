#include "core/record/run_recorder.h"

#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/record/run_schema.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kSmallestRunFile = 4096;  // a page of SQLite's

bool isTaken(const fs::path& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type() != fs::file_type::not_found;
}

/// What a recording that was killed at its very start leaves: nothing, or less than a
/// page.
bool isStartOfRunFile(const fs::path& path) {
  constexpr std::string_view kMagic{"SQLite format 3\0", 16};
  if (!isFile(path)) return false;
  std::error_code failure;
  std::string start(kMagic.size(), ' ');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (file.gcount() == 0) return fs::file_size(path, failure) == 0;
  return start == kMagic && fs::file_size(path, failure) < kSmallestRunFile;
}

/// A run file, be it damaged or unfinished.
bool isRunFile(const fs::path& path) {
  try {
    if (SqlDatabase::openUntrusted(path)->integer("PRAGMA application_id") == kRunFileId)
      return true;
  } catch (const Error&) {  // no database, or not even one page of it
  }
  return isStartOfRunFile(path);
}

void checkName(const fs::path& path, ExistingFile existing) {
  if (!isTaken(path)) return;
  if (existing == ExistingFile::Refuse)
    throw badInput(path.string() +
                   " exists already; choose another name, or replace it (compare "
                   "--force)");
  if (!isRunFile(path))
    throw badInput(path.string() +
                   " exists already and is not a run file, so it is not replaced; "
                   "choose another name");
}

}  // namespace

RunRecorder::RunRecorder(fs::path path, ExistingFile existing,
                         std::shared_ptr<RunSink> next)
    : m_path(std::move(path)), m_existing(existing), m_next(std::move(next)) {
  checkName(m_path, m_existing);
}

void RunRecorder::runStarted(std::shared_ptr<const RunHeader> header) {
  checkName(m_path, m_existing);
  std::error_code ignored;  // the writer complains of what is still there
  if (m_existing == ExistingFile::Replace) fs::remove(m_path, ignored);
  m_writer.emplace(m_path, *header);
  m_next->runStarted(std::move(header));
}

void RunRecorder::stepTaken(std::shared_ptr<const StepRecord> record) {
  m_writing = true;
  m_writer->add(*record);
  m_writing = false;
  m_next->stepTaken(std::move(record));
}

void RunRecorder::finish(RunEnding ending) {
  if (m_writer && !m_writing) m_writer->finish(ending);
}

}  // namespace equipatch
