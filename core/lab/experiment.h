#pragma once

#include <string>
#include <vector>

#include "core/lab/notebook.h"
#include "core/lab/settings.h"

namespace equipatch {

/// One experiment of the papers: what it shows, what may be changed, how it is done.
struct Experiment {
  std::string name;   ///< on the command line
  std::string title;  ///< over its figures
  std::string claim;  ///< what the paper says, in a sentence
  std::vector<LabSetting> settings;
  /// Runs on the caller's thread until everything is written down.
  void (*run)(const LabSettings& settings, Notebook& book) = nullptr;
};

/// All, in the order of the papers.
const std::vector<Experiment>& experiments();

/// @throws Error{BadInput} that lists the names there are.
const Experiment& experimentNamed(const std::string& name);

// Each in a file of its name.
Experiment theoremExperiment();
Experiment convergenceExperiment();
Experiment fineTuningExperiment();
Experiment stackExperiment();
Experiment recurrentExperiment();
Experiment factorisationExperiment();
Experiment positionsExperiment();
Experiment categoricalExperiment();
Experiment wordsExperiment();

}  // namespace equipatch
