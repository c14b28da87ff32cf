// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_catalogue.h"

#include <algorithm>
#include <functional>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/program_files.h"
#include "core/base/strings.h"
#include "core/record/absorbed_words.h"
#include "core/record/file/run_rows.h"
#include "core/record/file/run_schema.h"
#include "core/record/quantile.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kOutlinePoints = 64;
constexpr std::size_t kShownPromptBytes = 1000;

std::vector<double> outlineOf(const std::vector<double>& values) {
  const std::size_t points = std::min(values.size(), kOutlinePoints);
  std::vector<double> outline;
  for (std::size_t point = 0; point < points; ++point) {
    const std::size_t begin = point * values.size() / points;
    const std::size_t end = (point + 1) * values.size() / points;
    double largest = values[begin];
    for (std::size_t i = begin; i < end; ++i) largest = maximum(largest, values[i]);
    outline.push_back(largest);
  }
  return outline;
}

/// Reads the steps up to the first one that is missing or damaged.
void readSteps(const SqlDatabase& database, CatalogueRun& run) {
  std::vector<double> linf;
  try {
    SqlStatement select =
        database.prepare("SELECT step, match, linf FROM steps ORDER BY step");
    for (Rows rows(select); rows.next();) {
      bool match = false;
      double distance = 0.0;
      rows.expectKey(0, linf.size());
      fromSql(select.value(1), match);
      fromSql(select.value(2), distance);
      run.matches += match ? 1 : 0;
      linf.push_back(distance);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::BadInput) throw;
    const std::string problem = "table \"steps\": " + database.problemOf(error);
    run.problem = database.damaged(badInput(problem)).what();
    run.ending = RunEnding::Interrupted;
  }
  run.steps = std::ssize(linf);
  run.linfOutline = outlineOf(linf);
  run.linfMedian = quantile(std::move(linf), 0.5);
}

void read(const SqlDatabase& database, CatalogueRun& run) {
  checkTables(database);
  RunHeader header = readHeader(database);
  run.absorbed = absorbedWords(header.request);
  if (header.request.branch.tokens > 0)
    run.branch = "branch at " + branchWords(header.request, header.request.branch.tokens);
  header.request.promptText =
      replaceInvalidUtf8(cutUtf8(shownPrompt(header.request), kShownPromptBytes));
  header.request.prompt.clear();
  header.request.images.clear();
  header.parameters.clear();
  run.header = std::make_shared<const RunHeader>(std::move(header));
  run.labels = readLabels(database);
  run.ending = readEnding(database);
  readSteps(database, run);
}

}  // namespace

CatalogueRun readCatalogueRun(const fs::path& file) {
  CatalogueRun run{.file = file, .problem = {}, .labels = {}};
  std::error_code unknown;
  const std::uintmax_t bytes = fs::file_size(file, unknown);
  run.bytes = unknown ? 0 : bytes;
  try {
    read(*SqlDatabase::openUntrusted(file), run);
  } catch (const Error& error) {
    run = {.file = file, .bytes = run.bytes, .problem = error.what(), .labels = {}};
  }
  return run;
}

bool isRunFileName(const fs::path& file) {
  return file.extension() == ".eqrun";
}

std::vector<fs::path> runFilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure))
    if (isRunFileName(entry->path())) files.push_back(entry->path());
  if (failure && !isAbsent(folder)) throw unlistable(folder, failure);
  return files;
}

std::vector<CatalogueRun> readCatalogue(const fs::path& folder, Progress& progress) {
  std::vector<fs::path> files = runFilesIn(folder);
  std::erase_if(files, [](const fs::path& file) { return !isFile(file); });
  std::vector<CatalogueRun> runs;
  for (const fs::path& file : files) {
    progress.report(static_cast<double>(runs.size()) / static_cast<double>(files.size()),
                    "Reading recorded runs");
    progress.throwIfStopped();
    runs.push_back(readCatalogueRun(file));
  }
  const auto startAndFile = [](const CatalogueRun& run) {
    return std::pair(run.header ? run.header->provenance.startTime : "", run.file);
  };
  std::ranges::sort(runs, std::greater(), startAndFile);
  return runs;
}

bool matchesSearch(const CatalogueRun& run, const std::string& settings,
                   const std::string& search) {
  std::vector<std::string> texts{run.labels.name, run.labels.notes,
                                 joined(run.labels.tags), settings,
                                 run.file.filename().string()};
  if (run.header) {
    texts.push_back(run.header->modelName);
    texts.push_back(run.header->request.promptText);
    texts.push_back(run.header->provenance.startTime);
  }
  const std::string all = asciiLowered(joined(texts, "\n"));
  std::istringstream words(asciiLowered(search));
  for (std::string word; words >> word;)
    if (all.find(word) == std::string::npos) return false;
  return true;
}

fs::path recordedRunsFolder() {
  const fs::path data = userDataFolder();
  return data.empty() ? data : data / "Equipatch" / "Equipatch" / "runs";
}

}  // namespace equipatch
