// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "app/cli/options.h"
#include "app/cli/printable.h"
#include "core/base/number_format.h"
#include "core/base/paths.h"
#include "core/base/program_files.h"
#include "core/base/strings.h"
#include "core/record/export/export_json.h"
#include "core/run/backend.h"
#include "core/run/bench/shape_bench.h"
#include "core/run/model_list.h"
#include "core/run/session.h"

namespace equipatch::cli {

namespace {

double bytesPerSecond(const BenchReport& report, const char* timing) {
  return static_cast<double>(report.stepBytes) /
         (report.timing(timing).spread().median / 1000.0);
}

double promptRate(const BenchReport& report) {
  return static_cast<double>(report.promptTokens) /
         (report.timing(TimingName::kPrompt).spread().median / 1000.0);
}

double towerRate(const BenchReport& report) {
  return report.imageOperations /
         (report.timing(TimingName::kImage).spread().median / 1000.0);
}

double memoryRatio(const BenchReport& report, std::int64_t peakBytes) {
  return static_cast<double>(peakBytes) / static_cast<double>(report.weightBytes);
}

constexpr std::size_t kNameWidth = 40, kNumberWidth = 12;

void printRow(const std::string& name, const Spread& spread, int digits) {
  std::cout << padded(name, kNameWidth)
            << padded(fixedText(spread.median, digits), kNumberWidth)
            << fixedText(spread.low, digits) << " to " << fixedText(spread.high, digits)
            << '\n';
}

void printNumber(const std::string& name, const std::string& text) {
  std::cout << padded(name, kNameWidth) << text << '\n';
}

nlohmann::ordered_json spreadJson(const Spread& spread) {
  return {{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
}

void printTable(const std::string& name, const Session& session,
                const BenchReport& report) {
  std::cout << name << " in " << torchName(session.dtype()) << ", weights "
            << weightPlaceName(session.weightPlace()) << ", "
            << countText(static_cast<std::size_t>(report.threads), "thread") << ", "
            << bytesText(report.stepBytes) << " of weights read per step\n\n";
  std::cout << padded("milliseconds", kNameWidth) << padded("median", kNumberWidth)
            << "80 % lie within\n";
  for (const Timing& timing : report.timings) printRow(timing.name, timing.spread(), 2);
  std::cout << "\nratios, each of two measurements in the same round\n";
  printRow("comparison step / plain step", report.comparisonRatio, 3);
  printRow("reading the weights / plain step", report.bandwidthFraction, 3);
  printRow("materialised / factored", report.materialisedRatio, 3);
  printRow("prompt's rate / large product's", report.promptFraction, 3);
  printRow("step " + std::to_string(report.lateStep) + " / step " +
               std::to_string(report.earlyStep),
           report.lateRatio, 3);
  printRow("recorded / not recorded", report.recordRatio, 3);
  if (report.coldRatio) printRow("cold start / reading the file", *report.coldRatio, 3);
  const auto printIf = [](const char* title, const std::optional<Spread>& ratio) {
    if (ratio) printRow(title, *ratio, 3);
  };
  printIf("plain step, from file / in memory", report.plainOnFileRatio);
  printIf("comparison step, from file / in memory", report.comparisonOnFileRatio);
  printIf("loading the cold file / reading it", report.coldLoadRatio);
  printIf("loading's rate / copying memory's", report.loadFraction);
  printIf("tower's rate / product's in its dtype", report.towerFraction);
  std::cout << '\n';
  printNumber(
      "plain step reads",
      fixedText(bytesPerSecond(report, TimingName::kPlainStep) / 1e9, 1) + " GB/s");
  printNumber("memory bandwidth",
              fixedText(bytesPerSecond(report, TimingName::kReading) / 1e9, 1) + " GB/s");
  printNumber(
      "prompt of " + countText(static_cast<std::size_t>(report.promptTokens), "token"),
      fixedText(promptRate(report), 1) + " tokens/s");
  if (report.towerFraction)
    printNumber("vision tower", fixedText(towerRate(report) / 1e9, 1) + " GFLOP/s");
  printNumber("large product", fixedText(report.largeProductRate / 1e9, 1) + " GFLOP/s");
  printNumber("peak memory",
              report.peakBytes ? bytesText(*report.peakBytes) : "unknown on this system");
  if (report.peakBytes)
    printNumber("peak memory / weights",
                fixedText(memoryRatio(report, *report.peakBytes), 3));
}

void printJson(const Session& session, const BenchReport& report) {
  for (const Timing& timing : report.timings)
    std::cout << jsonLine({{"timing", timing.name},
                           {"ms", spreadJson(timing.spread())},
                           {"rounds", timing.milliseconds.size()}});
  nlohmann::ordered_json summary{
      {"decode_ms", report.timing(TimingName::kPlainStep).spread().median},
      {"compare_ms", report.timing(TimingName::kComparisonStep).spread().median},
      {"ratio", report.comparisonRatio.median},
      {"materialised_ratio", report.materialisedRatio.median},
      {"weight_bytes", report.weightBytes},
      {"step_bytes", report.stepBytes},
      {"gb_per_s", bytesPerSecond(report, TimingName::kPlainStep) / 1e9},
      {"bandwidth_gb_per_s", bytesPerSecond(report, TimingName::kReading) / 1e9},
      {"bandwidth_fraction", report.bandwidthFraction.median},
      {"prompt_tokens", report.promptTokens},
      {"prefill_tokens_per_s", promptRate(report)},
      {"prefill_fraction", report.promptFraction.median},
      {"gemm_gflop_per_s", report.largeProductRate / 1e9},
      {"late_ratio", report.lateRatio.median},
      {"record_ratio", report.recordRatio.median}};
  const auto addIf = [&](const char* key, const std::optional<Spread>& ratio) {
    if (ratio) summary[key] = ratio->median;
  };
  addIf("cold_ratio", report.coldRatio);
  addIf("plain_on_file_ratio", report.plainOnFileRatio);
  addIf("compare_on_file_ratio", report.comparisonOnFileRatio);
  addIf("cold_load_ratio", report.coldLoadRatio);
  addIf("load_fraction", report.loadFraction);
  if (report.towerFraction) {
    summary["image_ms"] = report.timing(TimingName::kImage).spread().median;
    summary["tower_gflop_per_s"] = towerRate(report) / 1e9;
    summary["tower_fraction"] = report.towerFraction->median;
  }
  if (report.peakBytes) {
    summary["rss_peak_bytes"] = *report.peakBytes;
    summary["memory_ratio"] = memoryRatio(report, *report.peakBytes);
  }
  summary["threads"] = report.threads;
  summary["weights"] = weightPlaceName(session.weightPlace());
  std::cout << jsonLine({{"summary", summary}});
}

namespace fs = std::filesystem;

struct BenchOptions {
  std::string model;
  std::string shape;
  std::string dtype;
  std::string weights = "auto";
  int threads = 0;
  int steps = 10;
  bool coldStart = false;
  bool fromFile = false;
  int images = 0;
  bool json = false;
};

/// The sorted names of the shapes that the program comes with, such as "gemma-3-1b".
std::vector<std::string> knownShapes() {
  std::vector<std::string> names;
  if (const auto shapes = findResource(Resource::Shapes)) {
    std::error_code problem;
    for (fs::directory_iterator entry(*shapes, problem), end; !problem && entry != end;
         entry.increment(problem))
      names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The folder of the known shape with this name, else `shape` itself.
/// @throws Error{BadInput} if `shape` is neither a known shape nor a folder.
fs::path shapeFolder(const std::string& shape) {
  const std::vector<std::string> known = knownShapes();
  if (std::ranges::find(known, shape) != known.end())
    return *findResource(Resource::Shapes) / shape;
  if (isFolder(shape)) return shape;
  throw badInput("no shape " + inQuotes(shape) + " is known; expected " +
                 (known.empty() ? "" : "one of " + joined(known) + ", or ") +
                 "a folder with a config.json");
}

SessionRequest requestOf(const BenchOptions& options) {
  SessionRequest request;
  request.place = weightPlaceFromName(options.weights);
  if (!options.dtype.empty()) request.dtype = dtypeFromTorchName(options.dtype);
  if (!options.model.empty()) {
    request.folder = modelFolder(options.model);
    return request;
  }
  request.folder = shapeFolder(options.shape);
  request.weights =
      options.images > 0 ? WeightOrigin::RandomWithTower : WeightOrigin::Random;
  return request;
}

int bench(const BenchOptions& options) {
  if (options.threads > 0) useThreads(options.threads);
  const SessionRequest request = requestOf(options);
  const BenchRequest wanted{
      .rounds = options.steps,
      .coldStart = options.coldStart ? MeasureColdStart::Yes : MeasureColdStart::No,
      .images = options.images};
  MeasuredModel measured;
  Foreground foreground;
  if (request.weights == WeightOrigin::Files) warnOfMemory(request);
  foreground.runTask("Measure", [&](Progress& progress) {
    if (options.fromFile) {
      measured = benchFromFile(request, wanted, progress);
      return;
    }
    constexpr double kLoaded = 0.25;
    PartialProgress loading(progress, 0.0, kLoaded), measuring(progress, kLoaded, 1.0);
    measured.session = Session::open(request, loading);
    measured.report = backend().bench(measured.session, wanted, measuring);
  });
  if (options.json)
    printJson(*measured.session, measured.report);
  else
    printTable(nameOf(request.folder), *measured.session, measured.report);
  return 0;
}

}  // namespace

void addBench(CLI::App& program, Action& action) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* command = program.add_subcommand(
      "bench", "Time the steps of a comparison beside those of plain decoding");
  auto* which = command->add_option_group("which");
  addModelOption(*which, options->model);
  which->get_option("--model")->required(false);
  CLI::Option* const shape =
      which
          ->add_option("--shape", options->shape,
                       "random weights in the shape of a known model (" +
                           joined(knownShapes()) + ") or of a folder's config.json")
          ->type_name("S");
  which->require_option(1);
  addDTypeOption(*command, options->dtype);
  addWeightsOption(*command, options->weights);
  addThreadsOption(*command, options->threads);
  command->add_option("--steps", options->steps, "number of timings of each step")
      ->transform(wholeNumber(1, 1'000'000))
      ->capture_default_str()
      ->type_name("N");
  command->add_flag("--cold", options->coldStart,
                    "also time the first step from a file that is not in the page cache; "
                    "writes a copy of the weights to a disk: into TMPDIR, /var/tmp or "
                    "the cache folder");
  CLI::Option* const images =
      command
          ->add_option("--images", options->images,
                       "number of timings of the vision tower on an image")
          ->transform(wholeNumber(0, 1'000'000))
          ->capture_default_str()
          ->type_name("N");
  command
      ->add_flag("--from-file", options->fromFile,
                 "write the shape as a checkpoint to a disk (TMPDIR, /var/tmp or the "
                 "cache folder), measure it like any model, and also time the steps on "
                 "the same random weights in memory; the files are removed")
      ->needs(shape)
      ->excludes(images);
  command->add_flag("--json", options->json, "one JSON object per line");
  command->callback([options, &action] {
    if (options->weights != "auto" && options->model.empty() && !options->fromFile)
      throw misuse("--weights", "has no effect on random weights; add --from-file");
    action = [options] { return bench(*options); };
  });
}

}  // namespace equipatch::cli
