#include "core/lab/experiment.h"

#include "core/base/error.h"

namespace equipatch {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all{
      theoremExperiment(),   convergenceExperiment(), fineTuningExperiment(),
      stackExperiment(),     recurrentExperiment(),   factorisationExperiment(),
      positionsExperiment(), categoricalExperiment(), wordsExperiment()};
  return all;
}

const Experiment& experimentNamed(const std::string& name) {
  std::string names;
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return experiment;
    names += (names.empty() ? "" : ", ") + experiment.name;
  }
  throw badInput("the lab has no experiment " + inQuotes(name) + "; it has " + names);
}

}  // namespace equipatch
