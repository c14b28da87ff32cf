#include <algorithm>
#include <iostream>
#include <regex>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "app/cli/options.h"
#include "app/cli/record_options.h"
#include "app/cli/rerun_options.h"
#include "app/cli/save_patched.h"
#include "app/cli/shared_patch_printer.h"
#include "app/cli/step_printer.h"
#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/run/model_folder.h"
#include "core/run/run_job.h"
#include "core/run/shared_patch_run.h"

namespace equipatch::cli {

namespace {

struct CompareOptions {
  SessionOptions session;
  PromptOptions prompt;
  RecordOptions record;
  RerunOptions rerun;
  SavePatchedOptions saved;
  RunRequest request;
  std::string method{name(Method::Balanced)};
  std::string loop{name(Loop::Closed)};
  std::string application{name(Application::Factored)};
  std::string absorb = "all";
  std::optional<std::string> strengthLayers;
  std::optional<PositionRange> exactFor;
  int threads = 0;  // 0: not asked for
  bool separate = false;
  bool noBare = false;
  bool json = false;
  bool layers = false;
};

/// More than the machine has only makes them wait for each other.
int mostThreads() {
  return std::max(8, 2 * static_cast<int>(std::thread::hardware_concurrency()));
}

void addRunOptions(CLI::App& command, CompareOptions& options) {
  command.add_option("--steps", options.request.steps, "tokens to generate")
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 32, "COUNT"))
      ->capture_default_str()
      ->type_name("");
  command
      .add_option("--absorb", options.absorb,
                  "the part of the context to turn into weights: all, prompt, none, "
                  "keep-bos, or prompt positions such as 0-12,20 (generated tokens stay "
                  "unless ,generated is added)")
      ->capture_default_str()
      ->type_name("PART");
  command
      .add_option("--method", options.method,
                  "how the block's end absorbs its share: balanced, direct or stable")
      ->check(CLI::IsMember({"balanced", "direct", "stable"}))
      ->capture_default_str();
  command
      .add_option("--loop", options.loop,
                  "whose activations a patch is computed from: closed, half or open")
      ->check(CLI::IsMember({"closed", "half", "open"}))
      ->capture_default_str();
  command
      .add_option("--apply", options.application,
                  "W z + u (w z), or the stored matrix: factored or materialised")
      ->check(CLI::IsMember({"factored", "materialised"}))
      ->capture_default_str();
  command.add_flag("--separate", options.separate,
                   "build the patch first, then run the patched model alone");
  command.add_flag("--free-run", options.request.freeRun,
                   "after a mismatch go on with the patched model's token");
  command.add_flag("--no-bare", options.noBare, "leave out the control without a patch");
  command.add_flag("--audit", options.request.audit,
                   "replay each finished patch with every sum in another order");
  command
      .add_option("--strength", options.request.strength.alpha,
                  "run the patched pass with so much of the patch: 0 none, 1 all of it; "
                  "-10 to 10")
      ->check(between(-10.0, 10.0))
      ->capture_default_str()
      ->type_name("");
  command
      .add_option("--layers", options.strengthLayers,
                  "patch these layers only: 0-5,10; all if absent")
      ->type_name("LAYERS");
  command.add_flag("--noise", options.request.measureNoise,
                   "measure the noise floor: the same pass in another summation order");
  command.add_flag("--round-logits", options.request.roundLogits,
                   "round logits to the dtype, as frameworks do");
  command.add_flag("--ignore-eos", options.request.ignoreEndOfSequence,
                   "go on after an end-of-sequence token");
  command.add_option("--threads", options.threads, "threads to compute with")
      ->check(CLI::Range(1, mostThreads(), "COUNT"))
      ->type_name("");
}

void addSamplingOptions(CLI::App& command, Sampling& sampling) {
  auto* temperature =
      command
          .add_option("--temperature", sampling.temperature, "0, the default, is greedy")
          ->check(between(0.0, 1000.0))
          ->type_name("");
  command.add_option("--top-k", sampling.topK, "sample among the K most likely")
      ->check(CLI::Range(std::int64_t(1), std::int64_t(1) << 32, "K"))
      ->needs(temperature)
      ->type_name("");
  command
      .add_option("--top-p", sampling.topP, "sample among the likeliest that make up P")
      ->check(between(1e-9, 1.0))
      ->needs(temperature)
      ->type_name("");
  command
      .add_option("--seed", sampling.seed, "of the sampling; the same for both passes")
      ->needs(temperature)
      ->type_name("NUMBER");
}

/// "4-7", or "4".
PositionRange parseRange(const std::string& text) {
  static const std::regex range("([0-9]{1,9})(-([0-9]{1,9}))?");
  std::smatch match;
  if (!std::regex_match(text, match, range))
    throw misuse("--exact-for",
                 "expected positions such as 12-15, found \"" + text + "\"");
  const std::int64_t first = std::stoll(match[1]);
  return {first, match[3].matched ? std::stoll(match[3]) : first};
}

/// It takes the place of a run: what only a run has is refused beside it.
void addExactFor(CLI::App& command, CompareOptions& options) {
  auto* exact = command.add_option_function<std::string>(
      "--exact-for",
      [&options](const std::string& text) { options.exactFor = parseRange(text); },
      "one patch that is exact for all tokens at positions A to B at once, everything "
      "before them absorbed; those beyond the prompt are generated");
  exact->type_name("A-B");
  for (const char* other :
       {"--absorb", "--steps", "--method", "--loop", "--separate", "--free-run",
        "--strength", "--layers", "--temperature", "--step", "--out"})
    exact->excludes(command.get_option(other));
}

Token tokenOf(TokenId id, const Session& session) {
  const bool named = session.hasTokenizer();
  return {
      id, named ? session.tokenizer().piece(id) : std::to_string(id.value), {}, false};
}

std::string readText(const std::string& path) {
  const auto file = FileMap::open(path);
  const auto bytes = file->bytes();
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void setPrompt(RunRequest& request, const PromptOptions& prompt, const Session& session) {
  if (prompt.ids) {
    for (const TokenId id : parseIds(*prompt.ids))
      request.prompt.push_back(tokenOf(id, session));
    return;
  }
  request.promptText = prompt.text ? *prompt.text : readText(*prompt.file);
  SpecialTokens specials = prompt.omitSpecials ? SpecialTokens::Omit : SpecialTokens::Add;
  if (prompt.chat.enabled) {
    request.promptText = prompt.chat.render(session.folder(), request.promptText);
    specials = SpecialTokens::Written;
  }
  request.prompt = session.tokenizer().encode(request.promptText, specials);
}

RunRequest requestOf(const CompareOptions& options) {
  RunRequest request = options.request;
  request.patch.method = *methodFromName(options.method);
  request.patch.loop = *loopFromName(options.loop);
  request.patch.application = *applicationFromName(options.application);
  if (options.strengthLayers)
    request.strength.layers = parseLayers(*options.strengthLayers);
  request.execution = options.separate ? Execution::Separate : Execution::Lockstep;
  request.bare = !options.noBare;
  request.keepFactors = options.record.factors || options.saved.folder;
  return request;
}

LayerDetail detailOf(const CompareOptions& options) {
  return options.layers ? LayerDetail::Include : LayerDetail::Omit;
}

/// One patch for the tokens of --exact-for, instead of one for each step.
int exactFor(const CompareOptions& options, const std::shared_ptr<const Session>& session,
             const RunRequest& request) {
  SharedPatchRun run(session, {.prompt = request.prompt,
                               .first = options.exactFor->first,
                               .last = options.exactFor->last,
                               .application = request.patch.application});
  SilentProgress progress;
  const SharedPatchRecord record = run.run(progress);
  if (options.json)
    printJson(record, detailOf(options));
  else
    printTable(record);
  if (options.saved.folder) savePatchedTokens(*session, record, *options.saved.folder);
  return 0;
}

std::shared_ptr<StepPrinter> printerOf(const CompareOptions& options) {
  if (!options.json) return std::make_shared<TablePrinter>();
  return std::make_shared<JsonPrinter>(detailOf(options));
}

/// Who hears of the run: always the printer, before it the recorder, before that the
/// check or the keeper.
struct Sinks {
  std::shared_ptr<StepPrinter> printer;
  std::shared_ptr<RunRecorder> recorder;  ///< null without --out
  std::shared_ptr<RerunCheck> check;      ///< null without --rerun
  std::shared_ptr<StepKeeper> keeper;     ///< null without --save-patched

  std::shared_ptr<RunSink> first() const {
    if (keeper) return keeper;
    if (check) return check;
    return recorder ? std::shared_ptr<RunSink>(recorder) : printer;
  }
};

/// Runs to the end, and sums up what was computed before a stop or a failure all the
/// same.
int run(Foreground& foreground, std::shared_ptr<const Session> session,
        RunRequest request, const Sinks& sinks) {
  const std::int64_t steps = request.steps;
  const auto problem =
      foreground.run(makeRunJob(std::move(session), std::move(request), sinks.first()));
  if (sinks.recorder)
    sinks.recorder->finish(problem ? RunEnding::Stopped : RunEnding::Complete);
  if (sinks.printer->steps() > 0 || !problem) sinks.printer->printSummary();
  if (sinks.check) std::cerr << sinks.check->verdict() << std::endl;
  if (problem && problem->kind() == ErrorKind::Cancelled)
    throw Error(ErrorKind::Cancelled, "stopped on request after " +
                                          std::to_string(sinks.printer->steps()) +
                                          " of " + std::to_string(steps) + " steps");
  if (problem) throw *problem;
  return 0;
}

int compare(const CompareOptions& options) {
  if (options.threads > 0) useThreads(options.threads);
  Sinks sinks;
  sinks.printer = printerOf(options);
  sinks.recorder = options.record.recorder(sinks.printer);
  Foreground foreground;
  const auto session = foreground.open(options.session.request());
  RunRequest request = requestOf(options);
  setPrompt(request, options.prompt, *session);
  if (options.exactFor) return exactFor(options, session, request);
  request.absorbed = parseAbsorbedSet(options.absorb, request.prompt);
  options.saved.check(request);
  if (options.saved.folder)
    sinks.keeper =
        std::make_shared<StepKeeper>(StepIndex(*options.saved.step), sinks.first());
  const int status = run(foreground, session, std::move(request), sinks);
  if (sinks.keeper) savePatchedStep(*session, *sinks.keeper, *options.saved.folder);
  return status;
}

int rerun(const CompareOptions& options) {
  StoredRun recorded = options.rerun.read();
  const RunHeader header = *recorded.header;
  const auto threads =
      std::clamp<std::int64_t>(header.provenance.threads, 1, mostThreads());
  useThreads(options.threads > 0 ? options.threads : static_cast<int>(threads));
  Sinks sinks;
  sinks.printer = printerOf(options);
  sinks.recorder = options.record.recorder(sinks.printer);
  sinks.check = std::make_shared<RerunCheck>(std::move(recorded), sinks.first());
  Foreground foreground;
  SessionRequest model = sessionRequestOf(header);
  if (!options.session.folder.empty()) model.folder = modelFolder(options.session.folder);
  const auto session = foreground.open(model);
  warnOfDifferences(header, *session);
  RunRequest request = header.request;
  request.keepFactors =
      options.record.out && (options.record.factors || request.keepFactors);
  return run(foreground, session, std::move(request), sinks);
}

}  // namespace

void addCompare(CLI::App& program, Action& action) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command = program.add_subcommand(
      "compare", "Generate, and compare the model with its patched self at every token");
  options->session.addTo(*command);
  options->prompt.addTo(*command);
  addRunOptions(*command, *options);
  addSamplingOptions(*command, options->request.sampling);
  options->record.addTo(*command);
  options->saved.addTo(*command);
  addExactFor(*command, *options);
  auto* json = command->add_flag("--json", options->json, "one JSON object a line");
  command->add_flag("--layers-out", options->layers, "with --json: every layer of a step")
      ->needs(json);
  options->rerun.addTo(*command);
  command->get_option("--model")->required(false);  // a recorded run knows its own
  command->callback([options, &action] {
    if (options->rerun.given()) {
      action = [options] { return rerun(*options); };
      return;
    }
    if (options->session.folder.empty()) throw CLI::RequiredError("--model");
    options->prompt.check();
    if (options->prompt.ids) parseIds(*options->prompt.ids);
    if (options->strengthLayers) parseLayers(*options->strengthLayers);
    action = [options] { return compare(*options); };
  });
}

}  // namespace equipatch::cli
