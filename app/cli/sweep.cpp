// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iosfwd>
#include <iostream>
#include <ostream>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "app/cli/options.h"
#include "app/cli/printable.h"
#include "app/cli/sweep_submit.h"
#include "core/base/number_format.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/checkpoint/checkpoint.h"
#include "core/record/export/export_json.h"
#include "core/record/export/output_file.h"
#include "core/record/sweep/sweep_plan.h"
#include "core/record/sweep/sweep_prompts.h"
#include "core/record/sweep/sweep_table.h"
#include "core/run/model_list.h"
#include "core/run/run_origin.h"
#include "core/run/sweep_images.h"
#include "core/run/sweep_job.h"

namespace equipatch::cli {

namespace {

std::string percent(double number) {
  return fixedText(number, 2) + " %";
}

/// The row's settings, and its absorbed part where it is not all of the context.
std::string titleOf(const SweepRow& row) {
  constexpr std::size_t kPartColumns = 36;
  const bool isAll = row.absorb == SweepRow().absorb;
  return pointText(row.point) +
         (isAll
              ? ""
              : " absorb=" + trimmed(printable(row.absorb, kPartColumns, Spaces::Keep)));
}

void printTable(const std::vector<SweepRow>& rows, std::ostream& out) {
  std::size_t widest = 0;
  for (const SweepRow& row : rows) widest = std::max(widest, titleOf(row).size());
  out << padded("", widest) << heading("cells", 5) << heading("steps", 5)
      << heading("match", 5) << heading("L∞ median", 9) << heading("95 %", 4)
      << heading("largest", 7) << heading("TVD max", 7) << heading("bare L∞", 7)
      << "  worst verdict\n";
  for (const SweepRow& row : rows)
    out << padded(titleOf(row), widest)
        << cell(std::to_string(row.cells) + "/" + std::to_string(row.planned))
        << cell(std::to_string(row.steps)) << cell(percent(row.matchPercent()))
        << cell(row.linfMedian) << cell(row.linf95) << cell(row.linfMax)
        << cell(row.tvdMax) << cell(row.bareLinfMedian) << "  "
        << (row.cells > 0 ? spelled(row.worst) : "") << '\n';
}

void printJson(const std::vector<SweepRow>& rows, std::ostream& out) {
  for (const SweepRow& row : rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    const ExportRow columns = exportRow(row);
    for (std::size_t index = 0; index < columns.names.size(); ++index)
      std::visit([&](const auto& value) { object[columns.names[index]] = value; },
                 columns.cells[index]);
    out << jsonLine(object);
  }
}

struct SweepOptions {
  std::string model;
  std::optional<std::string> prompts, preset, shard, out, status;
  SubmitOptions submit;
  std::vector<std::string> grids;
  std::vector<std::string> images;
  std::vector<std::string> merged;
  std::optional<std::int64_t> steps;
  std::optional<double> temperature;
  std::optional<std::string> seeds;
  std::string device = "cpu";
  std::string weights = "auto";
  int threads = 0;  // 0: the default
  std::optional<int> parallel;
  bool noise = false;
  bool ignoreEndOfSequence = false;
  bool noPictures = false;
  bool chat = false;
  bool json = false;

  void check() const;
  /// True if the options give neither prompts nor a preset: then the sweep in the folder
  /// is continued with the plan that the folder contains.
  bool goesOn() const { return !prompts && !preset; }
  void checkGoingOn() const;
};

/// The result of `read`, whose Error becomes a ValidationError naming the option.
template <typename Read>
auto readOption(const std::string& option, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    throw misuse(option, error.what());
  }
}

void SweepOptions::check() const {
  if (!merged.empty() || status) return;
  if (model.empty()) throw CLI::RequiredError("--model");
  if (prompts && preset)
    throw misuse("--prompts", "give either --prompts F.jsonl or --preset NAME");
  if (!out) throw CLI::RequiredError("--out");
  if (goesOn()) checkGoingOn();
  if (submit.how && shard)
    throw misuse("--shard", "the tasks of --submit take a shard each; leave it out");
  submit.check();
  if (meansStandardOutput(*out))
    throw misuse("--out", notToStandardOutput("a sweep, which is a folder,"));
  readOption("--grid", [&] { return parseGrids(grids, DType::F32); });
  if (seeds) parseSeeds(*seeds);
  if (shard) readOption("--shard", [&] { return parseShard(*shard); });
  if (preset) readOption("--preset", [&] { return sweepPreset(*preset); });
}

void SweepOptions::checkGoingOn() const {
  if (!isSweepFolder(*out))
    throw misuse("--prompts",
                 "give either --prompts F.jsonl or --preset NAME; neither is needed "
                 "only to continue a sweep that --out already holds");
  if (!grids.empty() || !images.empty() || steps || noise || ignoreEndOfSequence ||
      noPictures || chat || temperature || device != "cpu")
    throw misuse("--prompts",
                 "without it the settings are those of the sweep in --out; "
                 "leave out --grid, --image, --no-pictures, --steps, --noise, "
                 "--ignore-eos, --chat, --temperature and --device");
}

bool triesMethods(const std::vector<SweepPoint>& points) {
  return std::ranges::any_of(points, [&](const SweepPoint& point) {
    return point.patch.method != points.front().patch.method;
  });
}

/// The plan that the options and their preset describe.
SweepPlan planOf(const SweepOptions& options, const std::filesystem::path& model) {
  const Checkpoint checkpoint = Checkpoint::open(model);
  if (options.goesOn()) {
    SweepPlan plan = readSweepPlan(*options.out);
    plan.origin = provenanceOf(checkpoint);
    return plan;
  }
  SweepPreset given;
  if (options.preset)
    given = sweepPreset(*options.preset);
  else
    given.prompts = readSweepPrompts(*options.prompts);
  if (options.chat)
    for (SweepPrompt& prompt : given.prompts) prompt.chat = true;
  if (options.temperature)
    given.prompts = sampledPrompts(given.prompts, *options.temperature,
                                   parseSeeds(options.seeds.value_or("0")));
  giveImages(given.prompts, readSweepImages(options.images), checkpoint);
  for (SweepPrompt& prompt : given.prompts)
    for (SweepImage& image : prompt.images)  // tasks of a cluster run in other folders
      image.file = std::filesystem::absolute(image.file).string();
  SweepPlan plan{.modelName = nameOf(model),
                 .origin = provenanceOf(checkpoint),
                 .device = options.device,
                 .steps = options.steps.value_or(given.steps),
                 .measureNoise = options.noise || given.measureNoise,
                 .ignoreEndOfSequence = options.ignoreEndOfSequence,
                 .keepPictures = !options.noPictures,
                 .prompts = std::move(given.prompts),
                 .points = {}};
  plan.points = parseGrids(options.grids.empty() ? given.grids : options.grids,
                           checkpoint.spec().storedDType);
  if (triesMethods(plan.points)) noteEqualMethods(checkpoint.spec());
  return plan;
}

/// Prints a line on standard error for each cell.
class CellPrinter final : public SweepSink {
 public:
  explicit CellPrinter(Foreground& foreground) : m_foreground(foreground) {}

  void cellsFound(std::size_t finished, std::size_t all) override {
    m_number = finished;
    m_all = all;
    if (finished > 0)
      m_foreground.printLine(std::to_string(finished) + " of " + std::to_string(all) +
                             " cells were finished before");
  }

  void cellFinished(const SweepCell& cell, const CellResult& result) override {
    say(cell, std::to_string(result.matches) + " of " + std::to_string(result.steps) +
                  " most likely tokens match, L∞ largest " +
                  numberText(result.linfMax, 0));
  }

  void cellFailed(const SweepCell& cell, const Error& error) override {
    ++m_failed;
    say(cell, std::string("not computed: ") + error.what());
  }

  void cellsElsewhere(std::size_t count) override {
    m_foreground.printLine(countText(count, "cell") +
                           " left to the other programs that are computing them");
  }

  std::size_t failed() const { return m_failed; }

 private:
  void say(const SweepCell& cell, const std::string& result) {
    m_foreground.printLine("[" + std::to_string(++m_number) + "/" +
                           std::to_string(m_all) + "] " + cell.prompt.name + ", " +
                           pointText(cell.point) + ": " + result);
  }

  Foreground& m_foreground;
  std::size_t m_number = 0;
  std::size_t m_all = 0;
  std::size_t m_failed = 0;
};

void print(const SweepTable& table, const SweepOptions& options,
           std::ostream& out = std::cout) {
  if (options.json)
    printJson(table.rows(), out);
  else
    printTable(table.rows(), out);
}

int sweep(const SweepOptions& options) {
  if (options.threads > 0) useThreads(options.threads);
  const std::filesystem::path model = modelFolder(options.model);
  const SweepPlan plan = planOf(options, model);
  const Shard shard = options.shard ? parseShard(*options.shard) : Shard();
  const std::filesystem::path folder = *options.out;
  claimSweepFolder(folder, plan);
  rememberModel(model);
  for (std::size_t at = 0; at < plan.points.size(); ++at)
    if (at == 0 || plan.points[at].dtype != plan.points[at - 1].dtype)
      warnOfMemory({.folder = model,
                    .dtype = plan.points[at].dtype,
                    .device = plan.device,
                    .place = weightPlaceFromName(options.weights)});

  Foreground foreground;
  const auto printer = std::make_shared<CellPrinter>(foreground);
  const auto compute = [&](const std::vector<SweepCell>& cells) {
    return foreground.run(makeSweepJob({.plan = plan,
                                        .model = model,
                                        .folder = folder,
                                        .cells = cells,
                                        .place = weightPlaceFromName(options.weights),
                                        .cellsAtOnce = options.parallel},
                                       printer),
                          Reporting::Progress);
  };
  if (options.submit.how)
    return submitSweep(
        options.submit,
        {plan, model, folder, options.weights, options.threads, options.parallel},
        options.json, [&](const SweepCell& cell) {
          if (const auto problem = compute({cell})) throw *problem;
        });
  const auto problem = compute(cellsOf(plan, shard));
  print(mergeSweeps({folder}), options);
  if (problem && problem->kind() == ErrorKind::Cancelled)
    throw Error(
        ErrorKind::Cancelled,
        "stopped on request; the same command continues with the unfinished cells");
  if (problem) throw *problem;
  if (printer->failed() == 0) return 0;
  throw badInput(std::to_string(printer->failed()) + " of " +
                 std::to_string(cellsOf(plan, shard).size()) +
                 " cells could not be computed, for the reasons above");
}

int merged(const SweepOptions& options) {
  const SweepTable table = mergeSweeps({options.merged.begin(), options.merged.end()});
  OutputPlace place(options.out.value_or(
      (std::filesystem::path(options.merged.front()) / "summary.csv").string()));
  print(table, options, place.isStandardOutput() ? std::cerr : std::cout);
  if (options.out) requireOwnSweepCsv(place.path());
  writeSweepCsv(table, place.path());
  place.copyToStandardOutput(std::cout);
  return 0;
}

void addSweepOptions(CLI::App& command, SweepOptions& options) {
  addModelOption(command, options.model);
  command.get_option("--model")->required(false);  // --merge needs none
  command
      .add_option("--prompts", options.prompts,
                  "file of prompts; each line is a JSON string, or an object with "
                  "\"text\" and optionally \"name\", \"chat\": true and \"images\": "
                  "[paths]")
      ->type_name("F.jsonl");
  command
      .add_option("--preset", options.preset,
                  "paper: five prompts, 20 tokens each, in float32 and in bfloat16, "
                  "with each of the methods direct, stable and balanced")
      ->type_name("{paper}");
  command
      .add_option("--grid", options.grids,
                  "the settings of the runs: all combinations of "
                  "dtype=float32,bfloat16,method=…,loop=…,apply=…,strength=…; may be "
                  "given more than once")
      ->allow_extra_args(false)
      ->type_name("GRID");
  command
      .add_option("--out", options.out,
                  "folder of the sweep; a sweep that is already there is continued. "
                  "With --merge: file for the table, - for standard output")
      ->type_name("DIR");
  command
      .add_option("--shard", options.shard,
                  "compute only the I-th of N parts, from 1/N to N/N")
      ->type_name("I/N");
  command.add_option("--steps", options.steps, "tokens to generate; 64 if absent")
      ->check(wholeNumber(1, std::int64_t(1) << 32))
      ->type_name("COUNT");
  auto* temperature = command
                          .add_option("--temperature", options.temperature,
                                      "sample tokens at this temperature; if absent, "
                                      "take the most likely ones")
                          ->check(between(0.001, 1000.0))
                          ->type_name("NUMBER");
  command
      .add_option("--seeds", options.seeds,
                  "run every prompt once with each of these seeds, such as 1-5; 0 if "
                  "absent")
      ->needs(temperature)
      ->type_name("LIST");
  command.add_flag("--chat", options.chat,
                   "write every prompt as the model's chat template does");
  addImageOption(command, options.images,
                 "an image for every prompt that lists none and has a place for it");
  command.add_flag("--no-pictures", options.noPictures,
                   "record the names and hashes of the images only");
  command.add_flag(
      "--noise", options.noise,
      "measure the noise floor that rounding causes, and judge every step by it");
  command.add_flag("--ignore-eos", options.ignoreEndOfSequence,
                   "continue after an end-of-sequence token");
  addDeviceOption(command, options.device);
  addWeightsOption(command, options.weights);
  options.submit.addTo(command);
  addThreadsOption(command, options.threads);
  command
      .add_option("--parallel", options.parallel,
                  "cells to compute at the same time, each on one thread; if absent, as "
                  "many as there are threads for a small model, one for a large one")
      ->check(wholeNumber(1, 1024))
      ->type_name("COUNT");
}

}  // namespace

void addSweep(CLI::App& program, Action& action) {
  const auto options = std::make_shared<SweepOptions>();
  CLI::App* command = program.add_subcommand(
      "sweep",
      "Compare many prompts with many settings; each pair is a cell with its own run "
      "file, and one table lists all cells");
  addSweepOptions(*command, *options);
  auto* merge =
      command
          ->add_option("--merge", options->merged,
                       "print one table of the finished cells in these folders, "
                       "and write it into summary.csv in the first folder, "
                       "or into --out")
          ->type_name("DIR");
  auto* status = command
                     ->add_option("--status", options->status,
                                  "print how many cells of this folder are finished, "
                                  "running, failed and waiting")
                     ->type_name("DIR");
  const CLI::Option* out = command->get_option("--out");
  for (CLI::Option* other : command->get_options()) {
    if (other == command->get_help_ptr()) continue;
    if (other != merge && other != out) merge->excludes(other);
    if (other != status && other != merge) status->excludes(other);
  }
  command->add_flag("--json", options->json, "one JSON object per line");
  command->callback([options, &action] {
    options->check();
    action = [options] {
      if (options->status) return showSweepStatus(*options->status, options->json);
      return options->merged.empty() ? sweep(*options) : merged(*options);
    };
  });
}

}  // namespace equipatch::cli
