// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/lab/notebook.h"
#include "core/lab/settings.h"
#include "core/work/job.h"

namespace equipatch {

struct Experiment {
  std::string name;   ///< on the command line
  std::string title;  ///< above its figures
  std::string claim;  ///< what it shows, in a sentence
  std::string task;   ///< what the model learns, in a sentence; empty without training
  std::vector<LabSetting> settings;
  /// Puts the complete result into `book`; the caller then calls book.finish().
  /// @throws Error{BadInput} for settings that contradict each other or belong to another
  /// experiment, Error{Numeric} when training diverges, Error{Cancelled}, and others.
  void (*run)(const LabSettings& settings, Notebook& book) = nullptr;
};

/// All experiments, in the order of the papers.
const std::vector<Experiment>& experiments();

/// The names of experiments(), in the same order; usable without loading the backend.
inline constexpr std::array<const char*, 9> kExperimentNames{
    "theorem",       "convergence", "fine-tuning", "stack", "rnn",
    "factorisation", "positions",   "categorical", "words"};

/// @throws Error{BadInput} that lists the known names.
const Experiment& experimentNamed(const std::string& name);

Experiment theoremExperiment();
Experiment convergenceExperiment();
Experiment fineTuningExperiment();
Experiment stackExperiment();
Experiment recurrentExperiment();
Experiment factorisationExperiment();
Experiment positionsExperiment();
Experiment categoricalExperiment();
Experiment wordsExperiment();

struct LabRequest {
  std::string experiment;
  LabSettings settings;
  std::uint64_t seed = 0;
  int threads = 1;  ///< the models are too small to gain from more
};

/// The job can pause and stop between two units of work, such as training steps.
/// @param sink not null
/// @throws Error{BadInput} for an unknown experiment; the job throws as Experiment::run.
std::unique_ptr<Job> makeLabJob(LabRequest request, std::shared_ptr<LabSink> sink);

}  // namespace equipatch
