#include "core/record/sweep/sweep_table.h"

#include <set>
#include <string>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/record/csv_file.h"
#include "core/record/kept_file.h"
#include "core/record/sweep/sweep_folder.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

struct Sweep {
  fs::path folder;
  SweepPlan plan;
};

void checkAlike(const Sweep& first, const Sweep& other) {
  const auto differences = differentSettings(first.plan, other.plan);
  if (differences.empty()) return;
  throw badInput(other.folder.string() + " cannot be merged with " +
                 first.folder.string() + ": " + joined(differences));
}

/// What makes two folders' cells the same one: names of prompts may have another text
/// elsewhere.
std::string identityOf(const SweepCell& cell) {
  return pointText(cell.point) + (cell.prompt.chat ? " chat " : " text ") +
         cell.prompt.text;
}

}  // namespace

SweepTable mergeSweeps(const std::vector<fs::path>& folders) {
  std::vector<Sweep> sweeps;
  for (const fs::path& folder : folders) {
    sweeps.push_back({folder, readSweepPlan(folder)});
    checkAlike(sweeps.front(), sweeps.back());
  }
  SweepTable table;
  std::set<std::string> planned, finished;
  for (const Sweep& sweep : sweeps)
    for (const SweepCell& cell : cellsOf(sweep.plan)) {
      const std::string identity = identityOf(cell);
      if (planned.insert(identity).second) table.plan(cell.point);
      if (finished.contains(identity)) continue;
      const auto run = finishedRun(sweep.folder, sweep.plan, cell);
      if (!run) continue;
      table.add(cell.point, *run);
      finished.insert(identity);
    }
  return table;
}

void requireOwnSweepCsv(const fs::path& path) {
  requireOwnOrAbsent(path, {"dtype,method,loop,application,", "the table of a sweep"});
}

void writeSweepCsv(const SweepTable& table, const fs::path& path) {
  CsvFile file(path);
  for (const SweepRow& row : table.rows()) file.add(exportRow(row));
  file.finish();
}

}  // namespace equipatch
