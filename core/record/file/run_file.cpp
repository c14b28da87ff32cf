// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/run_file.h"

#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/record/file/run_schema.h"
#include "core/record/file/step_reader.h"

namespace equipatch {

struct RunFile::State {
  explicit State(const std::filesystem::path& path)
      : database(SqlDatabase::openUntrusted(path)) {
    checkTables(*database);
    header = std::make_shared<const RunHeader>(readHeader(*database));
    reader.emplace(*database, *header);
  }

  std::unique_ptr<SqlDatabase> database;
  std::shared_ptr<const RunHeader> header;
  std::optional<StepReader> reader;
  // The step after the last one read. Reading an earlier one renews the limit on bytes.
  std::int64_t next = 0;
};

RunFile::RunFile(const std::filesystem::path& path)
    : m_state(std::make_unique<State>(path)) {}

RunFile::~RunFile() = default;

const std::filesystem::path& RunFile::path() const {
  return m_state->database->path();
}

std::shared_ptr<const RunHeader> RunFile::header() const {
  return m_state->header;
}

RunEnding RunFile::ending() const {
  return readEnding(*m_state->database);
}

std::string RunFile::endTime() const {
  return readEndTime(*m_state->database);
}

std::int64_t RunFile::stepCount() const {
  try {
    return m_state->database->integer(
        "SELECT max(0, coalesce(max(step) + 1, 0)) FROM steps");
  } catch (const Error&) {  // the last step is lost; others may be readable
    return std::numeric_limits<std::int64_t>::max();
  }
}

std::shared_ptr<const StepRecord> RunFile::step(StepIndex index,
                                                FactorDetail detail) const {
  State& state = *m_state;
  if (index.value < state.next) state.database->allowReading();
  state.next = index.value + 1;
  try {
    const auto record = state.reader->record(index);
    if (detail == FactorDetail::Include && state.header->request.keepFactors)
      record->factors = state.reader->factors(index);
    return record;
  } catch (const Error& error) {
    throw Error(error.kind(), "step " + std::to_string(index.value) + ": " +
                                  state.database->problemOf(error));
  }
}

StoredRun readRun(const std::filesystem::path& path, Progress& progress,
                  const StepReduction& reduction) {
  const std::string label = "Reading " + path.filename().string();
  const RunFile file(path);
  StoredRun run{.header = file.header(), .steps = {}, .ending = RunEnding::Interrupted};
  try {
    run.ending = file.ending();
    const std::int64_t count = file.stepCount();
    for (std::int64_t step = 0; step < count; ++step) {
      progress.throwIfStopped();
      progress.report(static_cast<double>(step) / static_cast<double>(count), label);
      auto record = file.step(StepIndex(step), FactorDetail::Omit);
      run.steps.push_back(reduction ? reduction(std::move(record)) : std::move(record));
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) throw;
    run.damage = error.what();
  }
  return run;
}

StoredRun readRun(const std::filesystem::path& path) {
  SilentProgress silent;
  return readRun(path, silent);
}

}  // namespace equipatch
