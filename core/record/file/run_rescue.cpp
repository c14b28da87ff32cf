// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/run_rescue.h"

#include <memory>
#include <string>
#include <system_error>

#include "core/record/file/run_labels.h"
#include "core/record/file/run_writer.h"
#include "core/record/file/step_reader.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

RunLabels labelsOf(const SqlDatabase& database) {
  try {
    return readLabels(database);
  } catch (const Error&) {
    return {};
  }
}

/// Writes rescued steps into a new run file, which the first `add` creates.
class Rescue {
 public:
  explicit Rescue(const LostRecording& lost) : m_lost(lost) {}

  void add(const StepRecord& record) {
    if (!m_writer) open();
    m_writer->add(record);
    ++m_steps;
  }
  /// Removes the new file if no step was written to it. If the new file is damaged or
  /// gone, sets `steps` to 0 but removes nothing: a file of that name may now be another
  /// program's.
  void endAfterError() {
    if (!m_writer) return;
    std::error_code ignored;
    if (m_steps == 0)
      fs::remove(m_path, ignored);
    else if (SqlDatabase::isDamaged(m_path))
      m_steps = 0;
  }
  std::int64_t steps() const { return m_steps; }
  const fs::path& path() const { return m_path; }

 private:
  void open() {
    std::error_code unknown;
    const RunLabels labels = labelsOf(m_lost.database);
    const fs::path name = m_lost.database.path();
    for (const fs::path& folder : {name.parent_path(), fs::temp_directory_path(unknown)})
      for (int number = 1; number < 100; ++number) {
        m_path = folder / (name.stem().string() + "-rescued" +
                           (number == 1 ? "" : "-" + std::to_string(number)) +
                           name.extension().string());
        try {
          m_writer = std::make_unique<RunWriter>(m_path, m_lost.header, LostFile::Report,
                                                 labels);
          return;
        } catch (const Error& error) {
          if (error.kind() == ErrorKind::Resource) break;  // try the next folder
        }
      }
    throw Error(ErrorKind::Resource, "no folder can hold the rescued run file");
  }

  const LostRecording& m_lost;
  fs::path m_path;
  std::unique_ptr<RunWriter> m_writer;
  std::int64_t m_steps = 0;
};

void copy(const LostRecording& lost, Rescue& rescue) {
  lost.database.tolerateTruncation();
  StepReader reader(lost.database, lost.header);
  const bool withFactors = lost.header.request.keepFactors;
  StepDigests digests(lost.database);
  const std::int64_t firstDigest = lost.steps - std::ssize(lost.digests);
  for (StepIndex step(0); step.value < lost.steps; ++step.value) {
    const auto record = reader.record(step);
    if (withFactors) record->factors = reader.factors(step);
    if (step.value >= firstDigest) {
      const StepDigest& written =
          lost.digests[static_cast<std::size_t>(step.value - firstDigest)];
      requireDigest(digests, step, StepPart::Record, written.record);
      requireDigest(digests, step, StepPart::Factors, written.factors);
    }
    rescue.add(*record);
  }
}

}  // namespace

Error rescueSteps(const LostRecording& lost, const std::string& what) {
  Rescue rescue(lost);
  try {
    if (lost.steps > 0) copy(lost, rescue);
    if (lost.next) rescue.add(*lost.next);
  } catch (const Error&) {
    // The steps written so far stay in the new file.
    rescue.endAfterError();
  }
  const std::int64_t all = lost.steps + (lost.next ? 1 : 0);
  const std::string beginning =
      lost.database.path().string() + " " + what + " while the run was being recorded; ";
  if (rescue.steps() == 0)
    return badInput(beginning + "no step could be saved (0 of " + std::to_string(all) +
                    "); record the run again");
  return badInput(beginning + "steps saved: " + std::to_string(rescue.steps()) + " of " +
                  std::to_string(all) + ", in " + rescue.path().string());
}

}  // namespace equipatch
