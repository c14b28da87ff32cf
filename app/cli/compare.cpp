// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/compare_options.h"
#include "app/cli/compare_printer.h"
#include "app/cli/foreground.h"
#include "core/base/error.h"
#include "core/record/export/output_file.h"
#include "core/run/backend.h"
#include "core/run/model_list.h"
#include "core/run/prepared_prompt.h"
#include "core/run/run_job.h"
#include "core/run/run_origin.h"

namespace equipatch::cli {

namespace {

/// Computes and prints one patch that is exact for all tokens of --exact-for.
/// @returns the exit code
int exactFor(Foreground& foreground, const CompareOptions& options,
             const std::shared_ptr<const Session>& session, const RunRequest& request) {
  if (options.savePatched.folder) makeEmptyFolder(*options.savePatched.folder);
  const RunHeader header = headerOf(*session, request);
  const SharedPatchRequest shared{.prompt = request.prompt,
                                  .images = request.images,
                                  .first = options.exactFor->first,
                                  .last = options.exactFor->last,
                                  .application = request.patch.application};
  SharedPatchRecord record;
  foreground.runTask("Patch several tokens", [&](Progress& progress) {
    record = backend().makeSharedPatch(session, shared, progress);
  });
  if (options.json)
    printSharedPatchJson(record, options.detail());
  else
    printSharedPatchTable(header, record);
  if (options.savePatched.folder)
    savePatchedTokens({foreground, *session, header, *options.savePatched.folder},
                      record);
  return 0;
}

std::shared_ptr<StepPrinter> printerOf(const CompareOptions& options) {
  if (!options.json) return std::make_shared<TablePrinter>();
  return std::make_shared<JsonPrinter>(options.detail());
}

/// The chain of sinks: check or keeper, then recorder, then printer, which is always
/// there.
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

/// Runs all steps. Prints the summary even after a stop or a failure.
/// @returns the exit code
int run(Foreground& foreground, std::shared_ptr<const Session> session,
        RunRequest request, const Sinks& sinks) {
  const std::int64_t steps = request.steps;
  auto problem =
      foreground.run(makeRunJob(std::move(session), std::move(request), sinks.first()));
  try {
    if (sinks.recorder)
      sinks.recorder->finish(problem ? RunEnding::Stopped : RunEnding::Complete);
  } catch (const Error& error) {  // the computed steps still get their summary
    problem = error;
  }
  if (sinks.printer->steps() > 0 || !problem) sinks.printer->printSummary();
  if (sinks.check) std::cerr << sinks.check->verdict() << std::endl;
  if (problem && problem->kind() == ErrorKind::Cancelled)
    throw Error(ErrorKind::Cancelled, "stopped on request after " +
                                          std::to_string(sinks.printer->steps()) +
                                          " of " + std::to_string(steps) + " steps");
  if (problem) throw *problem;
  return sinks.check && !sinks.check->same() ? 1 : 0;
}

int compare(const CompareOptions& options) {
  if (options.threads > 0) useThreads(options.threads);
  Sinks sinks;
  sinks.printer = printerOf(options);
  sinks.recorder = options.record.recorder(sinks.printer);
  Foreground foreground;
  const auto session = foreground.open(options.session.request());
  RunRequest settings = options.requestWithoutPrompt();
  if (settings.patch.method != Method::Balanced) noteEqualMethods(session->spec());
  RunRequest request;
  foreground.runTask("Prepare the prompt", [&](Control& control) {
    request = requestFor(options.prompt.prepare(*session, control.stopToken()), settings);
  });
  if (options.exactFor) return exactFor(foreground, options, session, request);
  options.savePatched.prepare(request);
  if (options.savePatched.folder)
    sinks.keeper =
        std::make_shared<StepKeeper>(StepIndex(*options.savePatched.step), sinks.first());
  const int status = run(foreground, session, std::move(request), sinks);
  if (sinks.keeper)
    savePatchedStep(
        {foreground, *session, sinks.keeper->header(), *options.savePatched.folder},
        *sinks.keeper);
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
  model.place = weightPlaceFromName(options.session.weights);
  if (!options.session.folder.empty()) model.folder = modelFolder(options.session.folder);
  const auto session = foreground.open(model);
  warnOfDifferences(header, *session);
  RunRequest request = header.request;
  request.images = withPictures(request.images, readPictures(options.prompt.images));
  if (options.record.noPictures) request.keepPictures = false;
  request.keepFactors =
      options.record.out && (options.record.factors || request.keepFactors);
  return run(foreground, session, std::move(request), sinks);
}

/// Passes the steps of a continued run to a printer, and warnings to standard error.
class PrintedContinuation final : public ContinuedRunSink {
 public:
  PrintedContinuation(Foreground& foreground, StepPrinter& printer)
      : m_foreground(foreground), m_printer(printer) {}

  void recordedIn(const std::filesystem::path&) override {}
  void endingRead(RunEnding) override {}
  void warned(const std::string& sentence) override {
    m_foreground.printLine("warning: " + sentence);
  }
  void runStarted(std::shared_ptr<const RunHeader> header) override {
    m_printer.runStarted(std::move(header));
  }
  void stepTaken(std::shared_ptr<const StepRecord> record) override {
    m_printer.stepTaken(std::move(record));
  }

 private:
  Foreground& m_foreground;
  StepPrinter& m_printer;
};

UnfinishedRun unfinishedRun(const CompareOptions& options) {
  UnfinishedRun run{.file = options.goingOn.file(),
                    .pictures = readPictures(options.prompt.images)};
  if (!options.record.out) return run;
  run.target = UnfinishedRun::Target::OtherFile;
  run.other = *options.record.out;
  run.existing = options.record.force ? ExistingFile::Replace : ExistingFile::Refuse;
  return run;
}

int continueRun(const CompareOptions& options) {
  const UnfinishedRun run = unfinishedRun(options);
  const RunHeader header = *RunFile(run.file).header();
  const auto threads =
      std::clamp<std::int64_t>(header.provenance.threads, 1, mostThreads());
  useThreads(options.threads > 0 ? options.threads : static_cast<int>(threads));
  Foreground foreground;
  SessionRequest model = sessionRequestOf(header);
  model.place = weightPlaceFromName(options.session.weights);
  if (!options.session.folder.empty()) model.folder = modelFolder(options.session.folder);
  const auto session = foreground.open(model);
  warnOfDifferences(header, *session);
  const auto printer = printerOf(options);
  const auto problem = foreground.run(makeContinuedRunJob(
      session, run, std::make_shared<PrintedContinuation>(foreground, *printer)));
  if (printer->steps() > 0) printer->printSummary();
  if (problem && problem->kind() == ErrorKind::Cancelled)
    throw Error(ErrorKind::Cancelled,
                "stopped on request after " + std::to_string(printer->steps()) + " of " +
                    std::to_string(header.request.steps) + " steps");
  if (problem) throw *problem;
  return 0;
}

}  // namespace

void addCompare(CLI::App& program, Action& action) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command = program.add_subcommand(
      "compare",
      "Generate tokens, and compare for each the pass with the context and the patched "
      "pass without it");
  options->addTo(*command);
  command->callback([options, &action] {
    options->check();
    action = [options] {
      if (options->goingOn.given()) return continueRun(*options);
      return options->rerun.given() ? rerun(*options) : compare(*options);
    };
  });
}

}  // namespace equipatch::cli
