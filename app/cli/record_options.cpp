#include "app/cli/record_options.h"

#include <utility>

#include "app/cli/options.h"

namespace equipatch::cli {

void RecordOptions::addTo(CLI::App& command) {
  auto* file =
      command
          .add_option("--out", out, "record the run, step by step, in this file (.eqrun)")
          ->check(noStream("a run file, which is a database,"))
          ->type_name("FILE");
  command.add_flag("--force", force, "with --out: replace the run file of that name")
      ->needs(file);
  command
      .add_flag("--factors", factors,
                "with --out: record each step's whole patch too, for export --peft and "
                "--safetensors; megabytes a step")
      ->needs(file);
}

std::shared_ptr<RunRecorder> RecordOptions::recorder(
    std::shared_ptr<RunSink> next) const {
  if (!out) return nullptr;
  return std::make_shared<RunRecorder>(
      *out, force ? ExistingFile::Replace : ExistingFile::Refuse, std::move(next));
}

}  // namespace equipatch::cli
