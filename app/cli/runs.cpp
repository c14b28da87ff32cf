// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "app/cli/printable.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/figure/run_names.h"
#include "core/record/export/export_json.h"
#include "core/record/run_catalogue.h"

namespace equipatch::cli {
namespace {

constexpr std::size_t kNameColumns = 34, kModelColumns = 24;

struct RunsOptions {
  std::vector<std::string> places;
  std::string search;
  bool json = false;
};

struct LabelOptions {
  std::string file;
  std::optional<std::string> name, tags, notes;
};

const char* textOf(RunEnding ending) {
  switch (ending) {
    case RunEnding::Complete:
      return "complete";
    case RunEnding::Stopped:
      return "stopped";
    case RunEnding::Interrupted:
      return "interrupted";
  }
  return "";
}

void printJson(const CatalogueRun& run) {
  nlohmann::ordered_json line{{"file", run.file.string()}, {"bytes", run.bytes}};
  if (!run.problem.empty()) line["problem"] = run.problem;
  if (run.header)
    line.update({{"name", run.labels.name},
                 {"tags", run.labels.tags},
                 {"notes", run.labels.notes},
                 {"settings", listedSettings(run)},
                 {"model", run.header->modelName},
                 {"prompt", run.header->request.promptText},
                 {"start_time", run.header->provenance.startTime},
                 {"ending", textOf(run.ending)},
                 {"steps", run.steps},
                 {"matches", run.matches},
                 {"linf_median", run.linfMedian}});
  std::cout << jsonLine(line);
}

void printHeadings() {
  std::cout << "started          " << std::left << std::setw(kNameColumns) << "  run"
            << std::setw(kModelColumns) << "model" << std::right
            << "     equal   median L∞\n";
}

/// Prints a row of the table and indented lines below it; only the problem if the file
/// cannot be read.
void printRun(const CatalogueRun& run) {
  constexpr std::size_t kIndent = 19, kStartColumns = 16, kPromptColumns = 60;
  if (!run.header) {
    std::cout << "✗ " << wrapped(run.problem, 2) << '\n';
    return;
  }
  std::string start = run.header->provenance.startTime.substr(0, kStartColumns);
  if (start.size() == kStartColumns) start[10] = ' ';
  std::cout << printable(start, kStartColumns) << "   "
            << printable(listedName(run), kNameColumns - 4) << "  "
            << printable(run.header->modelName, kModelColumns - 1) << ' ' << std::setw(5)
            << run.matches << '/' << std::left << std::setw(5) << run.steps << std::right
            << cell(run.linfMedian) << '\n';
  std::string more;
  const auto add = [&more](const std::string& part) {
    more += (more.empty() ? "" : "  ") + part;
  };
  if (!run.labels.tags.empty()) add("[" + joined(run.labels.tags) + "]");
  const std::string settings = listedSettings(run);
  // A run without a name has its settings in the column of names, where they may be cut.
  const bool isCut = columnsOf(settings) > kNameColumns - 4;
  if (!run.labels.name.empty() || isCut) add(settings);
  if (run.ending != RunEnding::Complete) add("(" + std::string(textOf(run.ending)) + ")");
  for (const std::string& line : {run.file.string(), more})
    if (!line.empty())
      std::cout << std::string(kIndent, ' ') << wrapped(line, kIndent) << '\n';
  if (!run.problem.empty())
    std::cout << std::string(kIndent, ' ') << "✗ " << wrapped(run.problem, kIndent + 2)
              << '\n';
  if (!run.header->request.promptText.empty())
    std::cout << std::string(kIndent, ' ')
              << printable(run.header->request.promptText, kPromptColumns) << '\n';
}

int runs(const RunsOptions& options) {
  std::vector<std::filesystem::path> places(options.places.begin(), options.places.end());
  if (places.empty()) {
    places.push_back(recordedRunsFolder());
    if (places.front().empty())
      throw badInput("this user's home folder is unknown; give a folder of runs");
  }
  std::vector<CatalogueRun> found;
  std::vector<std::string> problems;  // of files that the user named
  const auto isFound = [&](const CatalogueRun& run) {
    return matchesSearch(run, listedSettings(run), options.search);
  };
  Foreground foreground;
  foreground.runTask("List runs", [&](Control& control) {
    for (const std::filesystem::path& place : places) {
      if (options.places.empty() && isAbsent(place)) continue;  // nothing recorded yet
      if (isFolder(place)) {
        for (CatalogueRun& run : readCatalogue(place, control))
          if (isFound(run)) found.push_back(std::move(run));
        continue;
      }
      CatalogueRun run = readCatalogueRun(place);
      if (!run.problem.empty()) problems.push_back(run.problem);
      if (run.header ? isFound(run) : options.json) found.push_back(std::move(run));
    }
  });
  if (!options.json && !found.empty()) printHeadings();
  for (const CatalogueRun& run : found) options.json ? printJson(run) : printRun(run);
  if (!options.json && found.empty() && problems.empty()) {
    std::vector<std::string> names;  // quoted, because "." before a full stop reads ".."
    for (const std::filesystem::path& place : places)
      names.push_back(inQuotes(place.string()));
    std::cout << (options.search.empty() ? "No run is recorded in "
                                         : "No run has these words in ")
              << joined(names) << ".\n";
  }
  if (problems.empty()) return 0;
  const std::size_t more = problems.size() - 1;
  throw badInput(problems.front() + (more == 0
                                         ? ""
                                         : "; " + countText(more, "other file") +
                                               " that you named cannot be read fully"));
}

int label(const LabelOptions& options) {
  const CatalogueRun run = readCatalogueRun(options.file);
  if (!run.header) throw badInput(run.problem);
  LabelChange change{.notes = options.notes};
  if (options.name) change.name = trimmed(*options.name);
  if (options.tags) change.tags = parseTags(*options.tags);
  const RunLabels labels = change.appliedTo(run.labels);
  if (labels != run.labels) changeLabels(options.file, change);
  std::cout << "name: " << wrapped(labels.name, 6)
            << "\ntags: " << wrapped(joined(labels.tags), 6)
            << "\nnotes: " << wrapped(labels.notes, 7) << '\n';
  return 0;
}

}  // namespace

void addRuns(CLI::App& program, Action& action) {
  const auto options = std::make_shared<RunsOptions>();
  CLI::App* command = program.add_subcommand(
      "runs", "List recorded runs with their names, tags and numbers");
  command
      ->add_option("places", options->places,
                   "run files, and folders of run files; without any, the runs that "
                   "the window recorded")
      ->type_name("RUN.eqrun");  // completions offer folders, too
  command
      ->add_option("--search", options->search,
                   "only runs that have each of these words in their name, model, "
                   "tags, notes, settings, date, file name or the start of the prompt")
      ->type_name("WORDS");
  command->add_flag("--json", options->json, "one JSON object per line");
  command->callback(
      [options, &action] { action = [options] { return runs(*options); }; });
}

void addLabel(CLI::App& program, Action& action) {
  const auto options = std::make_shared<LabelOptions>();
  CLI::App* command = program.add_subcommand(
      "label", "Show or set the name, tags and notes that a run file keeps");
  command->add_option("run", options->file, "a run file")
      ->required()
      ->type_name("RUN.eqrun");
  command->add_option("--name", options->name, "a name; \"\" removes it");
  command->add_option("--tags", options->tags, "words separated by commas")
      ->type_name("TAGS");
  command->add_option("--notes", options->notes, "any text")->type_name("TEXT");
  command->callback(
      [options, &action] { action = [options] { return label(*options); }; });
}

}  // namespace equipatch::cli
