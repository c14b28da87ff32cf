#include <algorithm>

#include "app/cli/bench_printer.h"
#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "app/cli/options.h"
#include "core/base/paths.h"
#include "core/base/program_files.h"
#include "core/base/strings.h"
#include "core/run/backend.h"
#include "core/run/model_list.h"

namespace equipatch::cli {

namespace {

namespace fs = std::filesystem;

struct BenchOptions {
  std::string model;
  std::string shape;
  std::string dtype;
  int threads = 0;
  int steps = 10;
  bool coldStart = false;
  bool json = false;
};

/// "gemma-3-1b, llama-3.2-1b", empty where none came with the program.
std::string knownShapes() {
  const auto shapes = findResource(Resource::Shapes);
  std::vector<std::string> names;
  std::error_code ignored;
  if (shapes)
    for (const fs::directory_entry& entry : fs::directory_iterator(*shapes, ignored))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return joined(names);
}

/// A known shape's folder, or the one that is named.
fs::path shapeFolder(const std::string& shape) {
  const auto shapes = findResource(Resource::Shapes);
  const bool isName = shape.find('/') == std::string::npos;
  if (shapes && isName && isFolder(*shapes / shape)) return *shapes / shape;
  if (isFolder(shape)) return shape;
  const std::string known = knownShapes();
  throw badInput("no shape " + inQuotes(shape) + " is known; expected " +
                 (known.empty() ? "" : "one of " + known + ", or ") +
                 "a folder with a config.json");
}

SessionRequest requestOf(const BenchOptions& options) {
  SessionRequest request;
  if (!options.dtype.empty()) request.dtype = dtypeFromTorchName(options.dtype);
  if (!options.model.empty()) {
    request.folder = modelFolder(options.model);
    return request;
  }
  request.folder = shapeFolder(options.shape);
  request.weights = WeightOrigin::Random;
  return request;
}

int bench(const BenchOptions& options) {
  if (options.threads > 0) useThreads(options.threads);
  const SessionRequest request = requestOf(options);
  const auto cold = options.coldStart ? MeasureColdStart::Yes : MeasureColdStart::No;
  std::shared_ptr<const Session> session;
  BenchReport report;
  Foreground foreground;
  if (request.weights == WeightOrigin::Files) warnOfMemory(request);
  foreground.perform("Measure", [&](Progress& progress) {
    session = Session::open(request, progress);
    report =
        backend().bench(session, {.rounds = options.steps, .coldStart = cold}, progress);
  });
  options.json ? printJson(report) : printTable(*session, report);
  return 0;
}

}  // namespace

void addBench(CLI::App& program, Action& action) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* command = program.add_subcommand(
      "bench", "Measures how fast this machine compares, against plain decoding");
  auto* which = command->add_option_group("which");
  which
      ->add_option("--model", options->model,
                   "folder in Hugging Face layout, or a name that \"models\" lists")
      ->type_name("M");
  which
      ->add_option("--shape", options->shape,
                   "random weights instead, of a known model (" + knownShapes() +
                       ") or of a folder's config.json")
      ->type_name("S");
  which->require_option(1);
  addDTypeOption(*command, options->dtype);
  addThreadsOption(*command, options->threads);
  command->add_option("--steps", options->steps, "how often each step is timed")
      ->check(wholeNumber(1, 1'000'000))
      ->capture_default_str()
      ->type_name("N");
  command->add_flag("--cold", options->coldStart,
                    "also time the first step from a file that is not in memory; "
                    "writes a copy of the weights into a folder on a disk, where TMPDIR "
                    "says, in /var/tmp or in the cache folder");
  command->add_flag("--json", options->json, "one JSON object a line");
  command->callback(
      [options, &action] { action = [options] { return bench(*options); }; });
}

}  // namespace equipatch::cli
