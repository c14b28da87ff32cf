// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <system_error>

#include "app/cli/commands.h"
#include "app/cli/compare_options.h"
#include "app/cli/compare_printer.h"
#include "app/cli/foreground.h"
#include "app/cli/shared_patch_printer.h"
#include "app/usage/misuse.h"
#include "core/base/error.h"
#include "core/record/export/output_file.h"
#include "core/record/run_catalogue.h"
#include "core/record/sweep/sweep_script.h"
#include "core/run/backend.h"
#include "core/run/earlier_steps.h"
#include "core/run/export_job.h"
#include "core/run/model_list.h"
#include "core/run/prepared_prompt.h"
#include "core/run/run_job.h"
#include "core/run/run_origin.h"

namespace equipatch::cli {

namespace {

/// Makes one patch that is exact for all tokens of --exact-for.
void exactFor(Foreground& foreground, const CompareOptions& options,
              const std::shared_ptr<const Session>& session, const RunRequest& request) {
  if (options.savePatched.folder) {
    requireStorable(session->checkpoint(), session->dtype(), *options.savePatched.folder);
    makeCheckpointFolder(*options.savePatched.folder);
  }
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
}

std::shared_ptr<StepPrinter> makePrinter(const CompareOptions& options) {
  if (!options.json) return std::make_shared<TablePrinter>();
  return std::make_shared<JsonPrinter>(options.detail());
}

/// Throws `problem`, if any. After a stop, the sentence says how many steps were taken.
/// @param file the run file that --continue can complete; nullopt: none
void throwProblem(const std::optional<Error>& problem, const StepPrinter& printer,
                  std::int64_t steps, const std::optional<std::string>& file) {
  if (!problem) return;
  if (problem->kind() != ErrorKind::Cancelled) throw *problem;
  throw Error(ErrorKind::Cancelled,
              "stopped on request after " + std::to_string(printer.steps()) + " of " +
                  std::to_string(steps) + " steps" +
                  (file ? "; go on with --continue " + shellWord(*file) : ""));
}

/// The chain of a run's sinks. Records pass through the check or the keeper (never both),
/// then through the recorder, to the printer; only the printer is always there.
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

void noteRecorded(const CompareOptions& options) {
  if (!options.record.out) return;
  const std::filesystem::path file(*options.record.out);
  if (!options.json) noteWritten(file.string());
  if (isRunFileName(file)) return;
  std::filesystem::path other = file;
  std::cerr
      << "note: " << file.string()
      << " does not end in .eqrun, so commands that list or draw the runs of a folder "
         "skip it; rename it to "
      << other.replace_extension(".eqrun").string() << std::endl;
}

/// @returns the exit code: kExitFailed if a repeated run differs from the recorded run
/// @throws Error the recorder's if it cannot finish the file, otherwise the run's
int run(Foreground& foreground, std::shared_ptr<const Session> session,
        RunRequest request, const Sinks& sinks, const CompareOptions& options) {
  const std::int64_t steps = request.steps;
  auto problem =
      foreground.run(makeRunJob(std::move(session), std::move(request), sinks.first()));
  try {
    if (sinks.recorder)
      sinks.recorder->finish(problem ? RunEnding::Stopped : RunEnding::Complete);
  } catch (const Error& error) {  // the summary is still printed
    problem = error;
  }
  if (sinks.printer->steps() > 0 || !problem) sinks.printer->printSummary();
  if (sinks.check) std::cerr << sinks.check->verdict() << std::endl;
  throwProblem(problem, *sinks.printer, steps, options.record.out);
  noteRecorded(options);
  return sinks.check && !sinks.check->same() ? kExitFailed : 0;
}

int compare(const CompareOptions& options) {
  if (options.threads > 0) useThreads(options.threads);
  Sinks sinks;
  sinks.printer = makePrinter(options);
  sinks.recorder = options.record.recorder(sinks.printer);
  Foreground foreground;
  const auto session = foreground.open(options.session.request());
  const RunRequest withoutPrompt = options.requestWithoutPrompt();
  if (withoutPrompt.patch.method != Method::Balanced) noteEqualMethods(session->spec());
  RunRequest request;
  foreground.runTask("Prepare the prompt", [&](Control& control) {
    request =
        requestFor(options.prompt.prepare(*session, control.stopToken()), withoutPrompt);
  });
  if (options.exactFor) {  // --exact-for excludes --out, so there is no recorder
    exactFor(foreground, options, session, request);
    return 0;
  }
  if (withoutPrompt.ablated && !request.ablated)
    std::cerr << "note: the ablated pass is left out, because with the whole context "
                 "absorbed it would be the bare pass moved to position 0; give a part "
                 "with --absorb"
              << std::endl;
  options.savePatched.prepare(request, *session);
  if (options.savePatched.folder)
    sinks.keeper = std::make_shared<StepKeeper>(
        StepIndex(*options.savePatched.step),
        options.record.factors ? FactorDetail::Include : FactorDetail::Omit,
        sinks.first());
  const int status = run(foreground, session, std::move(request), sinks, options);
  if (sinks.keeper)
    savePatchedStep(
        {foreground, *session, sinks.keeper->header(), *options.savePatched.folder},
        *sinks.keeper);
  return status;
}

void useThreadsOf(const RunHeader& recorded, const CompareOptions& options) {
  const auto threads =
      std::clamp<std::int64_t>(recorded.provenance.threads, 1, mostThreads());
  useThreads(options.threads > 0 ? options.threads : static_cast<int>(threads));
}

std::shared_ptr<const Session> openModelOf(Foreground& foreground,
                                           const RunHeader& recorded,
                                           const CompareOptions& options) {
  SessionRequest model = sessionRequestOf(recorded);
  model.place = weightPlaceFromName(options.session.weights);
  if (options.session.folder.empty())
    requireModelOf(recorded, "give its folder or name here with --model");
  else
    model.folder = modelFolder(options.session.folder);
  auto session = foreground.open(model);
  warnOfDifferences(recorded, *session);
  return session;
}

/// @throws Error{BadInput} if --out names the recorded run's file: the new run may fail,
/// and must not destroy the recorded run.
void requireOther(const RecordOptions& record, const std::string& recorded,
                  const std::string& instead) {
  std::error_code unknown;
  if (record.out && std::filesystem::equivalent(*record.out, recorded, unknown))
    throw badInput(*record.out + " is the recorded run itself; " + instead);
}

int rerun(const CompareOptions& options) {
  requireOther(options.record, *options.rerun, "give another name");
  StoredRun recorded = readNotingGaps(*options.rerun);
  const RunHeader header = *recorded.header;
  useThreadsOf(header, options);
  Sinks sinks;
  sinks.printer = makePrinter(options);
  sinks.recorder = options.record.recorder(sinks.printer);
  sinks.check = std::make_shared<RerunCheck>(std::move(recorded), sinks.first());
  Foreground foreground;
  const auto session = openModelOf(foreground, header, options);
  RunRequest request = header.request;
  request.images = withPictures(request.images, readPictures(options.prompt.images));
  if (options.record.noPictures) request.keepPictures = false;
  request.keepFactors =
      options.record.out && (options.record.factors || request.keepFactors);
  return run(foreground, session, std::move(request), sinks, options);
}

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
  // Threads::Present: `useThreadsOf` sets the number of threads before the job runs.
  UnfinishedRun run{.file = *options.continuation,
                    .pictures = readPictures(options.prompt.images),
                    .threads = UnfinishedRun::Threads::Present};
  if (!options.record.out) return run;
  requireOther(options.record, *options.continuation,
               "leave out --out to add the steps to it, or give another name");
  // Only the constructor's check is needed: it refuses a taken name before the model is
  // loaded.
  static_cast<void>(options.record.recorder(nullptr));
  run.target = UnfinishedRun::Target::OtherFile;
  run.other = *options.record.out;
  run.existing = options.record.force ? ExistingFile::Replace : ExistingFile::Refuse;
  return run;
}

int continueRun(const CompareOptions& options) {
  const UnfinishedRun run = unfinishedRun(options);
  Foreground foreground;
  RunHeader header;
  // Refuses a complete run before its model is loaded. The job reads the steps again,
  // because the file may change meanwhile.
  foreground.runTask("Read the run", [&](Control& control) {
    header = EarlierSteps(run, control).header();
  });
  useThreadsOf(header, options);
  const auto session = openModelOf(foreground, header, options);
  const auto printer = makePrinter(options);
  const auto problem = foreground.run(makeContinuedRunJob(
      session, run, std::make_shared<PrintedContinuation>(foreground, *printer)));
  if (printer->steps() > 0) printer->printSummary();
  // throwProblem would say "after 0 of N steps", but the file may have steps.
  if (problem && printer->steps() == 0) throw *problem;
  throwProblem(problem, *printer, header.request.steps,
               options.record.out ? options.record.out : options.continuation);
  noteRecorded(options);
  return 0;
}

}  // namespace

void addCompare(CLI::App& program, Action& action) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command = program.add_subcommand(
      "compare",
      "Generate tokens; for each, compare the contextual pass with the patched pass, "
      "which has no context");
  options->addTo(*command);
  command->callback([options, &action] {
    options->check();
    action = [options] {
      if (options->continuation) return continueRun(*options);
      return options->rerun ? rerun(*options) : compare(*options);
    };
  });
}

}  // namespace equipatch::cli
