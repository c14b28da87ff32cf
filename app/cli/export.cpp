#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/record/export_csv.h"
#include "core/record/export_json.h"
#include "core/record/export_npz.h"
#include "core/record/export_peft.h"
#include "core/record/export_safetensors.h"
#include "core/record/kept_file.h"

namespace equipatch::cli {

namespace {

struct ExportOptions {
  std::string run;
  std::optional<std::string> csv, json, npz, safetensors, peft;
  std::optional<std::int64_t> step;
};

/// A damaged file gives what can be read of it, and says so.
StoredRun read(const std::string& path) {
  StoredRun run = readRun(path);
  if (!run.damage.empty())
    std::cerr << "warning: " << path << " is damaged, only " << run.steps.size()
              << " steps were read: " << run.damage << std::endl;
  return run;
}

/// An export may be repeated; what something else wrote stays.
void requireFreeNames(const ExportOptions& options) {
  if (options.csv) requireOwnTables(*options.csv);
  if (options.json) requireOwnOrAbsent(*options.json, {"{\"run\": {", "a run's JSON"});
  if (options.npz) requireOwnOrAbsent(*options.npz, {"step.npy", "a run's arrays"});
  if (options.safetensors)
    requireOwnOrAbsent(*options.safetensors, {"\"step.", "a run's patches"});
  if (options.peft) requireOwnAdapter(*options.peft);
}

int exportRun(const ExportOptions& options) {
  requireFreeNames(options);
  if (options.csv) exportCsv(read(options.run), *options.csv);
  if (options.json) exportJson(read(options.run), *options.json);
  if (options.npz) exportNpz(read(options.run), *options.npz);
  const auto step = options.step ? std::optional(StepIndex(*options.step)) : std::nullopt;
  if (options.safetensors)
    exportSafetensors(RunFile(options.run), step, *options.safetensors);
  if (options.peft) {
    const RunFile run(options.run);
    exportPeft(*run.header(), *stepWithFactors(run, *step), *options.peft);
  }
  return 0;
}

}  // namespace

void addExport(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* command = program.add_subcommand(
      "export", "A recorded run as tables, arrays or a LoRA adapter");
  command->add_option("--run", options->run, "file that compare --out wrote")
      ->required()
      ->type_name("RUN.eqrun");
  CLI::Option_group* formats = command->add_option_group("format");
  formats->add_option("--csv", options->csv, "folder for steps.csv, layers.csv, …")
      ->type_name("DIR");
  formats->add_option("--json", options->json, "one JSON document")->type_name("FILE");
  formats->add_option("--npz", options->npz, "NumPy arrays")->type_name("FILE");
  formats
      ->add_option("--safetensors", options->safetensors,
                   "the whole patches: u, w, Δm, v, z of every layer")
      ->type_name("FILE");
  auto* peft = formats
                   ->add_option("--peft", options->peft,
                                "folder for one step's patch as a LoRA adapter that "
                                "Hugging Face PEFT loads")
                   ->type_name("DIR");
  formats->require_option(1);
  auto* step = command->add_option("--step", options->step, "which step; all if absent")
                   ->check(wholeNumber(0, std::int64_t(1) << 32))
                   ->type_name("K");
  peft->needs(step);
  command->callback([options, &action] {
    if (options->step && !options->peft && !options->safetensors)
      throw misuse("--step", "goes with --peft and --safetensors only");
    action = [options] { return exportRun(*options); };
  });
}

}  // namespace equipatch::cli
