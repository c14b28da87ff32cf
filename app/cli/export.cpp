// SPDX-License-Identifier: GPL-3.0-or-later
#include <functional>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "app/cli/options.h"
#include "core/base/strings.h"
#include "core/figure/figure_kind.h"
#include "core/figure/run_names.h"
#include "core/page/run_page.h"
#include "core/record/export/export_json.h"
#include "core/record/export/export_latex.h"
#include "core/record/export/export_run.h"
#include "core/record/export/export_table.h"
#include "core/record/export/output_file.h"
#include "core/run/export_job.h"

namespace equipatch::cli {

namespace {

struct ExportOptions {
  std::vector<std::string> runs;
  std::optional<std::string> csv, latex, json, npz, safetensors, peft, html;
  std::optional<std::int64_t> step;
};

/// Writes to the file `word`, or to standard output if `word` is "-". Replaces an
/// existing file only if `own` recognises the file.
void writeFile(const std::string& word, const OwnFile& own,
               const std::function<void(const std::filesystem::path&)>& write) {
  OutputPlace place(word);
  requireOwnOrAbsent(place.path(), own);
  write(place.path());
  const bool isNamed = !place.isStandardOutput();
  place.copyToStandardOutput(std::cout);
  if (isNamed) noteWritten(place.path().string());
}

/// @param step nullopt: all steps; --peft requires a step
void writePatch(const ExportOptions& options, std::optional<StepIndex> step) {
  if (options.safetensors)
    writeFile(
        *options.safetensors, {"\"step.", "a run's patches"}, [&](const auto& path) {
          const std::string& run = options.runs.front();
          const WrittenPatches written = exportSafetensors(RunFile(run), step, path);
          warnOfDamage(run, std::size_t(written.steps), written.damage);
        });
  if (!options.peft) return;
  requireOwnAdapter(*options.peft);
  const RunFile run(options.runs.front());
  requireAdapterPossible(*run.header());
  exportPeft(*run.header(), *stepWithFactors(run, *step), *options.peft);
  noteWritten("the patch of step " + std::to_string(step->value) +
              " as an adapter into the folder " + *options.peft);
}

/// Ctrl-C leaves an earlier page unchanged.
void writePage(const ExportOptions& options) {
  writeFile(*options.html, {kPageMarker, "a run's page"}, [&](const auto& path) {
    Foreground foreground;
    std::vector<PageRun> runs;
    for (const std::string& run : options.runs) {
      foreground.runTask("Read " + run, [&](Control& control) {
        runs.push_back(readPageRun(run, control));
      });
      noteGaps(run, runs.back().run.steps.size(), runs.back().damage);
    }
    alignBranches(runs);
    foreground.runTask("Write the page", [&](Control& control) {
      exportPage(runs, path, control);
      control.setComplete();
    });
  });
}

/// Reads the runs and names them as figures and pages do.
std::vector<NamedRun> readNamed(const std::vector<std::string>& paths) {
  std::vector<NamedRun> runs;
  std::vector<FigureRun> named;
  for (const std::string& path : paths) {
    runs.push_back(
        {{}, readNotingGaps(path), std::filesystem::path(path).filename().string()});
    named.push_back(figureRunOf(runs.back().run, path));
  }
  nameRuns(named);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].name = named[i].name;
  return runs;
}

void writeTables(const ExportOptions& options) {
  requireOwnTables(*options.csv);
  const std::vector<NamedRun> runs = readNamed(options.runs);
  std::size_t steps = 0;
  for (const NamedRun& run : runs) steps += run.run.steps.size();
  if (runs.size() == 1)
    exportCsv(runs.front().run, *options.csv);
  else
    exportCsv(runs, *options.csv);
  noteWritten(
      "the tables of " +
      (runs.size() == 1 ? std::string() : countText(runs.size(), "run") + " and ") +
      countText(steps, "step") + " into the folder " + *options.csv);
}

int exportRun(const ExportOptions& options) {
  if (options.html) writePage(options);
  if (options.csv) writeTables(options);
  if (options.latex)
    writeFile(*options.latex, ownFileOf(RunForm::Latex),
              [&](const auto& path) { exportLatex(readNamed(options.runs), path); });
  if (options.json)
    writeFile(*options.json, ownFileOf(RunForm::Json), [&](const auto& path) {
      exportJson(readNotingGaps(options.runs.front()), path);
    });
  if (options.npz)
    writeFile(*options.npz, ownFileOf(RunForm::Npz), [&](const auto& path) {
      exportNpz(readNotingGaps(options.runs.front()), path);
    });
  writePatch(options,
             options.step ? std::optional(StepIndex(*options.step)) : std::nullopt);
  return 0;
}

}  // namespace

void addExport(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ExportOptions>();
  const std::string orDash = "; - for standard output";
  CLI::App* command = program.add_subcommand(
      "export", "Write a recorded run as tables, arrays, a LoRA adapter or a web page");
  command
      ->add_option("--run", options->runs,
                   "a run file, as compare --out, sweep and the window write it; several "
                   "for --csv, --latex and --html: --run A.eqrun B.eqrun")
      ->required()
      ->type_name("RUN.eqrun");
  CLI::Option_group* formats = command->add_option_group("format");
  formats
      ->add_option(
          "--csv", options->csv,
          "folder for steps.csv, layers.csv, …; tables of several runs have a column "
          "\"run\"")
      ->check(noStream("a folder of tables"))
      ->type_name("DIR");
  formats
      ->add_option("--latex", options->latex,
                   "a table for a paper, with a row for each run" + orDash)
      ->type_name("FILE");
  formats->add_option("--json", options->json, "one JSON document" + orDash)
      ->type_name("FILE");
  formats->add_option("--npz", options->npz, "NumPy arrays" + orDash)->type_name("FILE");
  formats
      ->add_option("--safetensors", options->safetensors,
                   "the whole patches: u, w, Δm, v, z of every layer" + orDash)
      ->type_name("FILE");
  auto* peft = formats
                   ->add_option("--peft", options->peft,
                                "folder for one step's patch as a LoRA adapter that "
                                "Hugging Face PEFT loads")
                   ->check(noStream("an adapter, which is a folder,"))
                   ->type_name("DIR");
  formats
      ->add_option("--html", options->html,
                   "a page that opens in any browser, without network" + orDash)
      ->type_name("FILE");
  formats->require_option(1);
  auto* step = command
                   ->add_option("--step", options->step,
                                "the step that --peft or --safetensors exports; if "
                                "absent, --safetensors exports all")
                   ->transform(wholeNumber(0, std::int64_t(1) << 32))
                   ->type_name("K");
  peft->needs(step);
  command->callback([options, &action] {
    if (options->step && !options->peft && !options->safetensors)
      throw misuse("--step", "goes with --peft or --safetensors only");
    if (options->runs.size() > 1 && !options->html && !options->csv && !options->latex)
      throw misuse("--run", "only --csv, --latex and --html take several runs; give one");
    action = [options] { return exportRun(*options); };
  });
}

}  // namespace equipatch::cli
