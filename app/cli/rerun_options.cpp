#include "app/cli/rerun_options.h"

#include <iostream>
#include <set>

#include "core/base/error.h"
#include "core/run/run_origin.h"

namespace equipatch::cli {

void RerunOptions::addTo(CLI::App& command) {
  static const std::set<std::string> kFree{"--help",    "--model",     "--out",
                                           "--force",   "--factors",   "--json",
                                           "--threads", "--layers-out"};
  const auto decided = command.get_options([](const CLI::Option* option) {
    return !kFree.contains(option->get_name(false, true)
                               .substr(option->get_name(false, true).rfind(',') + 1));
  });
  auto* rerun = command
                    .add_option("--rerun", m_file,
                                "repeat a recorded run with all its settings, and tell "
                                "what differs; exits with 1 when a step does")
                    ->type_name("RUN.eqrun");
  for (CLI::Option* option : decided) rerun->excludes(option);
}

StoredRun RerunOptions::read() const {
  StoredRun run = readRun(*m_file);
  if (!run.damage.empty())
    std::cerr << "warning: " << *m_file << " is damaged, only " << run.steps.size()
              << " steps are compared: " << run.damage << std::endl;
  return run;
}

void warnOfDifferences(const RunHeader& recorded, const Session& session) {
  for (const std::string& clause :
       differences(recorded.provenance, provenanceOf(session)))
    std::cerr << "warning: not as when the run was recorded: " << clause << std::endl;
}

}  // namespace equipatch::cli
