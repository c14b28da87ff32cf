// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_options.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/foreground.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/checkpoint/checkpoint.h"
#include "core/record/export/output_file.h"
#include "core/record/sweep/sweep_folder.h"
#include "core/record/sweep/sweep_prompts.h"
#include "core/run/model_list.h"
#include "core/run/run_origin.h"
#include "core/run/sweep_images.h"

namespace equipatch::cli {
namespace {

/// Calls `read` and turns its Error into a ValidationError that names the option.
template <typename Read>
auto readOption(const std::string& option, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    throw misuse(option, error.what());
  }
}

/// "a, b, c"; of more than kMostNamed names only the first: "a, b, … and 97 more".
std::string someOf(std::vector<std::string> names) {
  constexpr std::size_t kMostNamed = 10;
  if (names.size() <= kMostNamed) return joined(names);
  const std::string more = " and " + std::to_string(names.size() - kMostNamed) + " more";
  names.resize(kMostNamed);
  return joined(names) + more;
}

std::vector<SweepPrompt> sentencesOfEach(const std::vector<SweepPrompt>& given) {
  SentencePrompts each = eachSentence(given);
  if (!each.skipped.empty())
    std::cerr << "note: " << someOf(each.skipped)
              << (each.skipped.size() == 1 ? " is" : " are")
              << " left out, because --each-sentence needs at least two sentences, to "
                 "absorb one and keep another"
              << std::endl;
  return std::move(each.prompts);
}

bool triesMethods(const std::vector<SweepPoint>& points) {
  return std::ranges::any_of(points, [&](const SweepPoint& point) {
    return point.patch.method != points.front().patch.method;
  });
}

}  // namespace

void SweepOptions::check() const {
  if (!merged.empty() || status) return;
  if (model.empty()) throw CLI::RequiredError("--model");
  if (prompts && preset)
    throw misuse("--prompts", "give either --prompts F.jsonl or --preset NAME");
  if (!out) throw CLI::RequiredError("--out");
  if (meansStandardOutput(*out))
    throw misuse("--out", notToStandardOutput("a sweep, which is a folder,"));
  if (continuesSweep()) checkContinuation();
  if (submit.how && shard)
    throw misuse("--shard", "--submit gives each task its own shard; leave --shard out");
  submit.check();
  readOption("--grid", [&] { return parseGrids(grids, DType::F32); });
  if (seeds) parseSeeds(*seeds);
  if (shard) readOption("--shard", [&] { return parseShard(*shard); });
  if (preset) readOption("--preset", [&] { return sweepPreset(*preset); });
}

void SweepOptions::checkContinuation() const {
  if (!isSweepFolder(*out))
    throw misuse("--prompts",
                 "give --prompts F.jsonl or --preset NAME; without them, --out must be "
                 "the folder of a sweep, which is then continued, but " +
                     inQuotes(*out) + " is none");
  const std::pair<const char*, bool> settings[] = {
      {"--grid", !grids.empty()},
      {"--image", !images.empty()},
      {"--no-pictures", noPictures},
      {"--steps", steps.has_value()},
      {"--noise", noise},
      {"--ablated", ablated},
      {"--ignore-eos", ignoreEndOfSequence},
      {"--chat", chat},
      {"--each-sentence", sentences},
      {"--temperature", temperature.has_value()},
      {"--device", deviceOption->count() > 0}};
  for (const auto& [option, given] : settings)
    if (given)
      throw misuse(option,
                   "the sweep in --out is continued with its own settings; leave this "
                   "option out, or give --prompts or --preset for a new sweep");
}

/// Applies --chat, --each-sentence, --temperature and --seeds. With --each-sentence or
/// --seeds, one prompt may become several.
std::vector<SweepPrompt> SweepOptions::withOptions(std::vector<SweepPrompt> given) const {
  if (chat)
    for (SweepPrompt& prompt : given) prompt.chat = true;
  if (sentences) given = sentencesOfEach(given);
  if (temperature)
    given = sampledPrompts(given, *temperature, parseSeeds(seeds.value_or("0")));
  return given;
}

SweepPlan SweepOptions::plan(const std::filesystem::path& modelFolder) const {
  const Checkpoint checkpoint = Checkpoint::open(modelFolder);
  if (continuesSweep()) {
    SweepPlan plan = readSweepPlan(*out);
    plan.origin = provenanceOf(checkpoint);
    return plan;
  }
  SweepPreset given;
  if (preset)
    given = sweepPreset(*preset);
  else
    given.prompts =
        readSweepPrompts(*prompts, chat ? SweepForm::Chat : SweepForm::AsGiven);
  given.prompts = withOptions(std::move(given.prompts));
  giveImages(given.prompts, readSweepImages(images), checkpoint);
  for (SweepPrompt& prompt : given.prompts)
    for (SweepImage& image : prompt.images)  // tasks of a cluster run in other folders
      image.file = std::filesystem::absolute(image.file).string();
  SweepPlan plan{.modelName = nameOf(modelFolder),
                 .origin = provenanceOf(checkpoint),
                 .device = device,
                 .steps = steps.value_or(given.steps),
                 .measureNoise = noise || given.measureNoise,
                 .ablated = ablated,
                 .ignoreEndOfSequence = ignoreEndOfSequence,
                 .keepPictures = !noPictures,
                 .prompts = std::move(given.prompts),
                 .points = {}};
  plan.points =
      parseGrids(grids.empty() ? given.grids : grids, checkpoint.spec().storedDType);
  if (triesMethods(plan.points)) noteEqualMethods(checkpoint.spec());
  return plan;
}

void SweepOptions::addTo(CLI::App& command) {
  addModelOption(command, model);
  command.get_option("--model")->required(false);  // --merge and --status need no model
  command
      .add_option("--prompts", prompts,
                  "file of prompts; each line is a JSON string, or an object with "
                  "\"text\" and optionally \"name\", \"chat\": true, \"absorb\": the "
                  "part as in compare, and \"images\": [paths]")
      ->type_name("F.jsonl");
  command
      .add_option("--preset", preset,
                  "paper: five prompts, 20 tokens each, in float32 and in bfloat16, "
                  "materialised and with the noise floor, by the methods direct and "
                  "stable in the open loop and balanced in the closed one")
      ->type_name("{paper}");
  command
      .add_option("--grid", grids,
                  "the settings of the runs: all combinations of "
                  "dtype=float32,bfloat16,method=…,loop=…,apply=…,strength=…; may be "
                  "given more than once")
      ->allow_extra_args(false)
      ->type_name("GRID");
  command
      .add_option("--out", out,
                  "folder of the sweep; a sweep that is already there is continued. "
                  "With --merge: file for the table, - for standard output")
      ->type_name("DIR");
  command
      .add_option("--shard", shard, "compute only the I-th of N parts, from 1/N to N/N")
      ->type_name("I/N");
  command
      .add_option("--steps", steps,
                  "tokens to generate; if absent, 64, or as the preset says")
      ->transform(wholeNumber(1, std::int64_t(1) << 32))
      ->type_name("COUNT");
  auto* withTemperature = command
                              .add_option("--temperature", temperature,
                                          "sample tokens at this temperature; if absent, "
                                          "take the most likely ones")
                              ->check(between(0.001, 1000.0))
                              ->type_name("NUMBER");
  command
      .add_option("--seeds", seeds,
                  "seeds from 0 to 99999, such as 1-5; every prompt runs once with "
                  "each. If absent, the seed is 0")
      ->needs(withTemperature)
      ->type_name("LIST");
  command.add_flag("--chat", chat, "render every prompt with the model's chat template");
  command.add_flag("--each-sentence", sentences,
                   "run every prompt once for each of its sentences; each run absorbs "
                   "that sentence alone. Prompts of one sentence are left out");
  addImageOption(command, images,
                 "an image for every prompt that lists none and has a place for it");
  command.add_flag("--no-pictures", noPictures,
                   "record only the names and hashes of the images");
  command.add_flag(
      "--noise", noise,
      "measure the noise floor that rounding causes, and judge every step by it");
  command.add_flag("--ablated", ablated,
                   "where a part is absorbed: also run the original weights on the text "
                   "without this part; unlike the bare pass, this run also computes the "
                   "kept tokens without the absorbed part");
  command.add_flag("--ignore-eos", ignoreEndOfSequence,
                   "continue after an end-of-sequence token");
  deviceOption = addDeviceOption(command, device);
  addWeightsOption(command, weights);
  submit.addTo(command);
  addThreadsOption(command, threads);
  command
      .add_option("--parallel", parallel,
                  "runs (cells of the grid) to compute at the same time: several on one "
                  "thread each, or 1 on all threads. If absent, as many as there are "
                  "threads for a small model, 1 for a large one")
      ->transform(wholeNumber(1, 1024))
      ->type_name("COUNT");
  addMerging(command);
  command.add_flag("--json", json, "one JSON object per line");
}

/// Call this before adding --json: --merge and --status exclude most options that exist
/// at this call, but allow --json.
void SweepOptions::addMerging(CLI::App& command) {
  auto* ofMerge =
      command
          .add_option("--merge", merged,
                      "print one table of the finished cells in these folders, "
                      "and write it into summary.csv in the first folder, "
                      "or into --out")
          ->type_name("DIR");
  auto* ofStatus = command
                       .add_option("--status", status,
                                   "print how many cells of this folder are finished, "
                                   "running, failed and waiting")
                       ->type_name("DIR");
  const CLI::Option* place = command.get_option("--out");
  for (CLI::Option* other : command.get_options()) {
    if (other == command.get_help_ptr()) continue;
    if (other != ofMerge && other != place) ofMerge->excludes(other);
    if (other != ofStatus && other != ofMerge) ofStatus->excludes(other);
  }
}

}  // namespace equipatch::cli
